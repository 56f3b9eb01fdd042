import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { countersOf } from '../../../src/slo/state-log.ts';
import { extent } from '../../support/extent.ts';
import { openStore } from '../support/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const child = join(import.meta.dirname, '..', 'support', 'committing-child.js');
const kills = extent(5, 10);

interface Line {
  readonly loaded?: number;
  readonly alike?: boolean;
  readonly notices?: readonly unknown[];
  readonly exposed?: number;
}

/** Runs the child until it has exposed `count` values, kills it at once, and returns its output. */
async function killAfter(path: string, count: number): Promise<Line[]> {
  const running: ChildProcess = spawn(process.execPath, [child, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    running.kill('SIGKILL');
  });
  const lines: Line[] = [];
  if (running.stdout === null) throw new Error('the child has no output');
  for await (const text of createInterface({ input: running.stdout })) {
    lines.push(JSON.parse(text) as Line);
    if (lines.length > count) running.kill('SIGKILL');
  }
  if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  expect(running.signalCode).toBe('SIGKILL');
  return lines;
}

test('a process that is killed at any moment has not exposed what the store does not hold, and leaves no lock', async () => {
  const path = await temporaryFolder();
  let exposed = 0;

  for (let run = 0; run < kills; run++) {
    const [opening, ...later] = await killAfter(path, 1 + ((run * 7) % 23));

    expect(opening).toMatchObject({ alike: true });
    expect(opening?.notices).toEqual([]);
    expect(opening?.loaded).toBeGreaterThanOrEqual(exposed);
    exposed = later.at(-1)?.exposed ?? opening?.loaded ?? exposed;
  }

  const { store } = await openStore(path);
  const { items } = await store.load('a');
  const values = new Set([...items.check.values()].map((item) => countersOf(item).outages));
  expect(values.size).toBe(1);
  expect(Math.max(...values)).toBeGreaterThanOrEqual(exposed);
  expect(exposed).toBeGreaterThan(kills);
  await store.close();
});

test('a store that another process uses is refused, and free when that process is killed', async () => {
  const path = await temporaryFolder();
  const running = spawn(process.execPath, [child, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    running.kill('SIGKILL');
  });
  await once(running.stdout, 'data');

  await expect(openStore(path)).rejects.toMatchObject({
    reason: 'locked',
  });

  running.stdout.resume();
  running.kill('SIGKILL');
  await once(running, 'exit');
  const { store } = await openStore(path);
  await store.close();
});
