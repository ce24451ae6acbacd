import { DURATION_UNITS, type Expression, MINUTES_IN } from '../content.ts'

/** A compiled condition as the author would write it. */
export function conditionText(expression: Expression): string {
  switch (expression[0]) {
    case 'const':
      return String(expression[1])
    case 'is':
    case 'finding':
      return expression[1]
    case 'eq':
      return `${expression[1]} == "${expression[2]}"`
    case 'has':
      return `"${expression[2]}" in ${expression[1]}`
    case 'any':
    case 'known':
    case 'unsure':
      return `${expression[0]}(${expression[1]})`
    case 'compare':
      return comparisonText(expression)
    case 'not':
      return `!${inBrackets(expression[1])}`
    case 'and':
      return (expression.slice(1) as Expression[]).map(inBrackets).join(' && ')
    case 'or':
      return (expression.slice(1) as Expression[]).map(inBrackets).join(' || ')
    case 'atLeast':
      return `atLeast(${expression[1]}, ${(expression.slice(2) as Expression[]).map(conditionText).join(', ')})`
  }
}

const LONGEST_FIRST = DURATION_UNITS.toReversed()

function comparisonText([, [kind, question], comparison, limit]: Extract<
  Expression,
  readonly ['compare', ...unknown[]]
>): string {
  switch (kind) {
    case 'number':
      return `${question} ${comparison} ${limit}`
    case 'count':
      return `count(${question}) ${comparison} ${limit}`
    case 'months':
      return `age_months ${comparison} ${limit}`
    case 'ageDays':
      return `age_days ${comparison} ${limit}`
    case 'minutes': {
      const unit = LONGEST_FIRST.find((one) => limit % MINUTES_IN[one] === 0) ?? 'minutes'
      return `${unit}(${question}) ${comparison} ${limit / MINUTES_IN[unit]}`
    }
  }
}

function inBrackets(expression: Expression): string {
  const text = conditionText(expression)
  return ['and', 'or', 'compare', 'eq', 'has'].includes(expression[0]) ? `(${text})` : text
}
