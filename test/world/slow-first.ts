import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Short files that run long: on a machine that has never run them they would come last and run alone. */
const SLOW =
  /(cli\/backup|client\/package|compile\/release|content\/(broken|bundled|pinned|releases)|journeys\/one-node|structure\/new-row|triage\/kill|trust\/(embedded|fault-sweep|locks|paused|postmaster|processes|rolling|silent|sinks|slow)|webhook\/(crash|nodes|receivers))\.test\.ts$/

/** The order of the files: those known to be slow, then as vitest does: the longest of the last run, or else the largest. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
