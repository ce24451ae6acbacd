/** One mistake planted in sound content, and where it must be reported. */
export interface Planted {
  readonly name: string
  readonly file: string
  readonly replace: readonly [string, string]
  /** The text whose line must be reported. */
  readonly at: string
  readonly says: RegExp
  /** Found by running the content, not by compiling it. */
  readonly running?: true
}

export const PLANTED: readonly Planted[] = [
  {
    name: 'a dead end: a question that nobody can ever be asked',
    file: 'complaint.yaml',
    replace: [
      '  - id: throat_cough\n    kind: yesno\n',
      '  - id: throat_cough\n    kind: yesno\n    applies: age < 1\n',
    ],
    at: '  - id: throat_cough',
    says: /"throat_cough" is never asked/,
    running: true,
  },
  {
    name: 'a loop: two questions that wait for each other',
    file: 'complaint.yaml',
    replace: [
      '  - id: throat_cough\n    kind: yesno\n',
      '  - id: throat_cough\n    kind: yesno\n    applies: throat_sneeze\n  - id: throat_sneeze\n    kind: yesno\n    ask: always\n    applies: throat_cough\n',
    ],
    at: '    applies: throat_sneeze',
    says: /wait for each other.*throat_cough → throat_sneeze → throat_cough/,
  },
  {
    name: 'a missing translation',
    file: 'fi.yaml',
    replace: ['    why: Useimmiten kurkkukipu helpottaa viikossa.\n', ''],
    at: '  throat_duration:',
    says: /The fi text for "questions → throat_duration → why" is missing: add it/,
  },
  {
    name: 'a text that is left over',
    file: 'no.yaml',
    replace: ['  throat_duration:\n', '  throat_duration:\n    hint: Ord\n'],
    at: '    hint: Ord',
    says: /"questions → throat_duration → hint" is said here but nothing uses it/,
  },
  {
    name: 'a variable that nothing fills',
    file: 'sv.yaml',
    replace: ['reason: Febern är mycket hög.', "reason: 'Febern är {temperature}.'"],
    at: "reason: 'Febern är {temperature}.'",
    says: /uses \{temperature\}, which nothing fills/,
  },
  {
    name: 'a choice that is never made',
    file: 'sv.yaml',
    replace: [
      'reason: Febern är mycket hög.',
      "reason: 'Ring {clinic, select, telefon {{clinicNumber}} other {112}}.'",
    ],
    at: "reason: 'Ring {clinic",
    says: /write \{clinic, select, phone \{…\} other \{…\}\} with exactly these cases/,
  },
  {
    name: 'a number that a clinic may not have, named where nothing falls away',
    file: 'sv.yaml',
    replace: ['reason: Febern är mycket hög.', "reason: 'Ring {crisisLine}.'"],
    at: "reason: 'Ring {crisisLine",
    says: /names \{crisisLine\}, which a clinic may not have: write \{crisisLine, select, none \{\} other/,
  },
  {
    name: 'the same in the wrong case of its choice',
    file: 'sv.yaml',
    replace: ['reason: Febern är mycket hög.', "reason: 'Ring {poisonLine, select, none {{poisonLine}} other {}}.'"],
    at: "reason: 'Ring {poisonLine",
    says: /names \{poisonLine\}, which a clinic may not have/,
  },
  {
    name: 'an option that nobody is offered',
    file: 'complaint.yaml',
    replace: [
      '    options: [coating, very-red, one-side, tender-glands, blisters, hoarse]\n',
      '    options: [coating, very-red, one-side, tender-glands, { id: blisters, applies: age < 0.5 }, hoarse]\n',
    ],
    at: '  - id: throat_look',
    says: /Option "blisters" of "throat_look" is offered to nobody/,
    running: true,
  },
  {
    name: 'a misspelt option in a rule',
    file: 'complaint.yaml',
    replace: [
      'atLeast(4, has_fever, "coating" in throat_look, days',
      'atLeast(4, has_fever, "caoting" in throat_look, days',
    ],
    at: '"caoting" in throat_look',
    says: /throat_look has no option "caoting". Did you mean "coating"\?/,
  },
  {
    name: 'an option that a complaint wants of a list without it',
    file: 'complaint.yaml',
    replace: ['  - use: illnesses\n', '  - use: illnesses\n    wants: [gout]\n'],
    at: '  - use: illnesses',
    says: /wants: "gout" is no option of "illnesses"/,
  },
  {
    name: 'a rule that can never be true',
    file: 'complaint.yaml',
    replace: ['    when: temperature > 40 && age >= 12', '    when: temperature > 40 && fever == "no"'],
    at: '  - id: very-high-fever',
    says: /Rule "very-high-fever" can never be true/,
    running: true,
  },
  {
    name: 'a comparison outside what a number can be',
    file: 'complaint.yaml',
    replace: ['    when: temperature > 40 && age >= 12', '    when: temperature > 104 && age >= 12'],
    at: '    when: temperature > 104 && age >= 12',
    says: /104 is outside what temperature can be \(30 to 43\)/,
  },
  {
    name: 'a type error in a condition',
    file: 'complaint.yaml',
    replace: ['    when: pain_severity >= 8', '    when: pain_severity == "severe"'],
    at: '    when: pain_severity == "severe"',
    says: /Rule severe-pain: when: this condition is not right/,
  },
  {
    name: 'a condition that is no CEL',
    file: 'complaint.yaml',
    replace: ['    when: pain_severity >= 8', '    when: pain_severity >= 8 &&'],
    at: '    when: pain_severity >= 8 &&',
    says: /Rule severe-pain: when: this condition/,
  },
  {
    name: 'arithmetic in a condition',
    file: 'complaint.yaml',
    replace: ['    when: pain_severity >= 8', '    when: pain_severity / 2.0 >= 4'],
    at: '    when: pain_severity / 2.0 >= 4',
    says: /only a number, a scale/,
  },
  {
    name: 'a pattern that could run for ever: conditions have none',
    file: 'complaint.yaml',
    replace: ['    when: pain_severity >= 8', `    when: matter.matches("(a+)+$")`],
    at: '    when: matter.matches(',
    says: /Rule severe-pain: when: .*matches/,
  },
  {
    name: 'a version that is no name',
    file: 'release.yaml',
    replace: ['version: 2026', 'version: not a version 2026'],
    at: 'version: not a version',
    says: /version "not a version .*" must be up to 100 letters/,
  },
  {
    name: 'a reviewer typed into the release',
    file: 'release.yaml',
    replace: ['intendedUse: >-', 'review: { reviewed: true, by: [{ name: Somebody }] }\nintendedUse: >-'],
    at: 'review: {',
    says: /release.yaml has no key "review"/,
  },
  {
    name: 'an unknown question in a rule',
    file: 'complaint.yaml',
    replace: ['    when: course == "worse-fast"', '    when: cuorse == "worse-fast"'],
    at: '    when: cuorse == "worse-fast"',
    says: /there is no question or finding "cuorse". Did you mean "course"\?/,
  },
  {
    name: 'an unknown word in the middle of a long condition',
    file: 'complaint.yaml',
    replace: [
      '      && fluid_intake == "normal" && pain_severity <= 6',
      '      && fluid_intaek == "normal" && pain_severity <= 6',
    ],
    at: '      && fluid_intaek == "normal"',
    says: /Did you mean "fluid_intake"\?/,
  },
  {
    name: 'an unknown word in a condition that begins below its key',
    file: 'complaint.yaml',
    replace: ['    when: pain_severity >= 8\n', '    when:\n      pain_severity >= 8 &&\n      !unsure(stif_neck)\n'],
    at: '      !unsure(stif_neck)',
    says: /Did you mean "stiff_neck"\?/,
  },
  {
    name: 'an unknown shared question',
    file: 'complaint.yaml',
    replace: ['  - use: fluid_intake\n', '  - use: fluid_intakes\n'],
    at: '  - use: fluid_intakes',
    says: /There is no shared question "fluid_intakes"/,
  },
  {
    name: 'a shared question that is read but not asked',
    file: 'complaint.yaml',
    replace: ['  - use: fluid_intake\n', ''],
    at: 'throat_drinks_little: fluid_intake in',
    says: /add "- use: fluid_intake" to its questions/,
  },
  {
    name: 'a duplicate question id',
    file: 'complaint.yaml',
    replace: ['  - use: carer_worry\n', '  - use: carer_worry\n  - id: throat_cough\n    kind: yesno\n'],
    at: '  - id: throat_cough\n    kind: yesno\n  - use: tropics',
    says: /"throat_cough" (is listed twice|exists already)/,
  },
  {
    name: 'a sign listed again with another way of asking',
    file: 'complaint.yaml',
    replace: ['  - use: carer_worry\n', '  - use: carer_worry\n  - signs: [stiff_neck]\n    ask: always\n'],
    at: '  - signs: [stiff_neck]\n    ask: always',
    says: /"stiff_neck" is listed again with another "ask"/,
  },
  {
    name: 'a duplicate rule id',
    file: 'complaint.yaml',
    replace: ['  - id: worse-fast\n', '  - id: severe-pain\n'],
    at: '  - id: severe-pain\n    level: Level4\n    when: course',
    says: /Rule "severe-pain" exists already/,
  },
  {
    name: 'a duplicate key',
    file: 'en.yaml',
    replace: ['label: Sore throat\n', 'label: Sore throat\nlabel: Throat\n'],
    at: 'label: Throat',
    says: /stands here twice/,
  },
  {
    name: 'a level-1 rule without a source',
    file: 'complaint.yaml',
    replace: ['    sources: [abcde, nice-ng84]\n', ''],
    at: '  - id: airway',
    says: /Rule "airway" is of Level1 and needs a source/,
  },
  {
    name: 'a level-1 rule without a worked case',
    file: 'complaint.yaml',
    replace: [
      '  - id: deep-infection\n',
      `  - id: brand-new\n    level: Level1\n    when: sting_in_mouth && age > 60\n    sources: [nimn]\n  - id: deep-infection\n`,
    ],
    at: '  - id: brand-new',
    says: /Rule "brand-new" \(Level1\) (is fired by no worked case|has no near miss)/,
    running: true,
  },
  {
    name: 'a case that expects another level',
    file: 'cases.yaml',
    replace: [
      '      level: Level1\n      rules: [airway]\n      not: [deep-infection, stuck]',
      '      level: Level2\n      rules: [airway]\n      not: [deep-infection, stuck]',
    ],
    at: '  - id: stridor',
    says: /Case stridor: expected Level2, came out as Level1 because of airway/,
    running: true,
  },
  {
    name: 'a rule less urgent than otherwise',
    file: 'complaint.yaml',
    replace: ['  - id: long\n    level: Level6', '  - id: long\n    level: Level7'],
    at: '  - id: long',
    says: /less urgent than otherwise/,
  },
  {
    name: 'a red flag that calms',
    file: 'complaint.yaml',
    replace: [
      '    when: pain_severity >= 8',
      `    when: pain_severity >= 8 && !something_stuck_in_throat && !weight_loss`,
    ],
    at: '  - id: severe-pain',
    says: /Answering (weight_loss|something_stuck_in_throat) with (yes|"don't know")/,
    running: true,
  },
  {
    name: 'a key that does not exist',
    file: 'complaint.yaml',
    replace: [
      '    ifUnsure: apply\n    sources: [nimn, nice-sepsis]',
      '    ifunsure: apply\n    sources: [nimn, nice-sepsis]',
    ],
    at: '    ifunsure: apply',
    says: /has no key "ifunsure". Did you mean "ifUnsure"\?/,
  },
  {
    name: 'a modifier that raises nothing',
    file: 'complaint.yaml',
    replace: [
      'reassuring:\n',
      'modifiers:\n  - { id: again, when: immune_weak, levels: [Level7], sources: [nimn] }\nreassuring:\n',
    ],
    at: '  - { id: again',
    says: /Modifier "again" raises no rule/,
  },
  {
    name: 'a level for "not sure" that is more urgent than the rule',
    file: 'complaint.yaml',
    replace: ['    when: immune_weak\n', '    when: immune_weak\n    ifUnsure: Level2\n'],
    at: '  - id: weak-defence',
    says: /ifUnsure must be less urgent than Level3/,
  },
  {
    name: 'a file that is no YAML',
    file: 'sv.yaml',
    replace: ['name: Ont i halsen', 'name: "Ont i halsen'],
    at: 'name: "Ont i halsen',
    says: /This is not valid YAML/,
  },
]
