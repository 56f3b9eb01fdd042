import type { UserConsoleLog } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const mark = 'skipped: ';

/**
 * For `test.skipIf`: false without a reason. With one the test is skipped, and the run repeats the
 * reason at its end. With `CI=true` a reason is a failure.
 */
export function skipped(reason: string | undefined): boolean {
  if (reason === undefined) return false;
  if (process.env.CI === 'true') throw new Error(`${reason}; with CI=true no test is skipped`);
  console.warn(`${mark}${reason}`);
  return true;
}

/** Keeps the lines of `skipped` out of the middle of a run. */
export function onConsoleLog(content: string): boolean {
  return !content.startsWith(mark);
}

/** Prints one block after the summary: each reason, the files, and the number of tests. */
export class SkippedTests implements Reporter {
  readonly #filesByReason = new Map<string, Set<string>>();
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  /** A file may say several reasons at once. */
  onUserConsoleLog({ content, taskId = '' }: UserConsoleLog): void {
    const file = this.#vitest?.state.idMap.get(taskId)?.file.name ?? '';
    for (const line of content.split('\n').filter((text) => text.startsWith(mark))) {
      const reason = line.slice(mark.length);
      const files = this.#filesByReason.get(reason) ?? new Set();
      this.#filesByReason.set(reason, files.add(file));
    }
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const explained = new Set([...this.#filesByReason.values()].flatMap((files) => [...files]));
    const lines: string[] = [];
    let count = 0;
    for (const [reason, files] of [...this.#filesByReason].sort()) {
      lines.push(reason, ...[...files].sort().map((file) => `    ${file}`));
    }
    for (const module of modules) {
      const tests = [...module.children.allTests('skipped')].length;
      count += tests;
      if (tests > 0 && !explained.has(module.relativeModuleId)) {
        lines.push(`no reason: ${tests} tests of ${module.relativeModuleId}`);
      }
    }
    this.#filesByReason.clear();
    // With -t all other tests count as skipped.
    if (count === 0 || this.#vitest?.config.testNamePattern !== undefined) return;
    console.log(`\nSkipped: ${count} tests\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
}
