import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { type Child, startChild } from '../support/child.ts';
import { missing } from '../support/tools.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'demo-replicas.mjs');
const owners = /^ {2}(replica-[abc]) {2}http:\/\/localhost:\d+\/ {2}(\S+(?: \d+)?) +(.+)$/gm;

async function startDemo(...args: string[]): Promise<Child & { readonly folder: string }> {
  const folder = await temporaryFolder();
  // PostgreSQL runs as another user if the test runs as root.
  await chmod(folder, 0o755);
  const child = startChild(process.execPath, [script, ...args], { env: { TMPDIR: folder } });
  return { ...child, folder };
}

describe.skipIf(missing('initdb'))('the demo of replicas', () => {
  test('shows who owns which account, before and after a replica is killed and starts again', async () => {
    const demo = await startDemo('--once');
    expect(await demo.ended, demo.output()).toBe(0);

    const output = demo.output();
    const rows = [...output.matchAll(owners)].map(([, name, state = '', accounts = '']) => ({
      name,
      isKilled: state === 'killed',
      count: accounts === '–' ? 0 : accounts.split(', ').length,
    }));
    const table = (...counts: number[]) =>
      counts.map((count, at) => ({
        name: `replica-${'abc'[at]}`,
        isKilled: count === 0,
        count,
      }));
    expect(rows, output).toEqual([...table(2, 2, 2), ...table(3, 0, 3), ...table(2, 2, 2)]);
    expect(output).toMatch(/kill -9 replica-b \(process \d+\)/);
    const [, seconds] = /own its accounts after (\d+\.\d) s/.exec(output) ?? [];
    // The time to live and its margin, from the last renewal on, which may be a while ago.
    expect(Number(seconds)).toBeGreaterThan(3);
    expect(await readdir(demo.folder)).toEqual([]);
  });

  test('ends everything at Ctrl+C, whatever it does', async () => {
    const demo = await startDemo();
    await demo.until(/Starting PostgreSQL/);
    await demo.until(/→ replica-/);
    demo.process.kill('SIGINT');
    expect(await demo.ended, demo.output()).toBe(0);
    expect(demo.output()).toMatch(/Ending/);
    expect(await readdir(demo.folder)).toEqual([]);
  });
});
