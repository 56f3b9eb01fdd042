import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { SighupHandler } from '../../src/cli/terminal.ts';

/** A folder with these files, until the test ends. */
export function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'uptime-config-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

/** The path of a configuration, beside a file with its token. */
export const configured = (text: string) =>
  join(folder({ 'uptime.yaml': text, token: 'abcdefgh' }), 'uptime.yaml');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const noSighup = () =>
  new SighupHandler(Object.assign(new EventEmitter(), { pid: 0, kill: () => undefined }));

/** Runs the command line in this process until the command ends by itself. */
export async function command(
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const told = { stdout: '', stderr: '' };
  const code = await run({
    argv,
    env,
    stdout: { write: (text) => (told.stdout += text) },
    stderr: { write: (text) => (told.stderr += text) },
    sighup: noSighup(),
    untilStopped: () => new Promise(() => {}),
  });
  return { code, ...told };
}
