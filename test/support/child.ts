import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface Child {
  readonly process: ChildProcess;
  /** All output so far. */
  output(): string;
  /**
   * Resolves with the match as soon as the output contains it. Rejects if the child ends before.
   */
  until(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

interface ChildOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** Starts a program. It is killed no later than at the end of the test. */
export function startChild(
  command: string,
  args: readonly string[],
  { env = {}, cwd }: ChildOptions = {},
): Child {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const watch of watchers) watch();
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const until = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const watch = () => {
        const match = output.match(pattern);
        if (match === null) return;
        watchers.delete(watch);
        resolve(match);
      };
      watchers.add(watch);
      watch();
      void ended.then((code) => {
        if (watchers.delete(watch)) {
          reject(new Error(`it ended (${code}) without ${pattern}; it wrote:\n${output}`));
        }
      });
    });
  return { process: child, output: () => output, until, ended };
}
