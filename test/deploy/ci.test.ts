import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';

const script = join(import.meta.dirname, '..', '..', '.ci', 'run');

/** Runs a copy of .ci/run, in which the programs only note their arguments. Those named here fail. */
async function runWith({ args = [], failing = [] }: { args?: string[]; failing?: string[] }) {
  const folder = await temporaryFolder();
  const log = join(folder, 'log');
  const place = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `#!/bin/sh\n${text}\n`);
    await chmod(path, 0o755);
  };
  const note = (name: string) => `echo "${name} $*" >> ${log}
case "${name} $*" in ${failing.map((call) => `"${call}") exit 1 ;; `).join('')} *) ;; esac`;
  const programs = join(folder, 'programs');
  for (const name of ['npm', 'npx']) await place(join(programs, name), note(name));
  await place(join(programs, 'dpkg'), 'echo /bin/rm');
  await place(join(programs, 'dpkg-query'), 'echo required coreutils');
  await place(join(programs, 'git'), '[ "$1" != clone ] || mkdir -p "$4"');
  await place(join(folder, 'tools', 'build'), note('tools/build'));
  await cp(script, join(folder, '.ci', 'run'));
  const { status, stdout } = spawnSync(join(folder, '.ci', 'run'), args, {
    env: { PATH: `${programs}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  });
  return { status, stdout, calls: await readFile(log, 'utf8') };
}

describe('.ci/run', () => {
  test('runs each step once, and reports how long it took', async () => {
    const { status, stdout, calls } = await runWith({});
    expect(status, stdout).toBe(0);
    for (const call of ['npm ci\n', 'npm run lint\n', 'npm test\n', 'npm run test:long\n']) {
      expect(calls).toContain(call);
      expect(stdout).toMatch(/\d+ s {2}npm run test:long\n/);
    }
    expect(calls).not.toContain('test:night');
    expect(stdout).toMatch(/All is well\.\n$/);
  });

  test('runs all steps although some fail, and reports each of these at the end', async () => {
    const { status, stdout, calls } = await runWith({ failing: ['npm run lint', 'npm test'] });
    expect(status).toBe(1);
    expect(calls).toContain('npm run test:long\n');
    expect(stdout).toMatch(/\d+ s {2}lint {2}FAILED\n/);
    expect(stdout).toMatch(/Failed: lint\nFailed: npm test\n$/);
  });

  test('runs the proofs of the night on demand', async () => {
    const { status, calls } = await runWith({ args: ['night'] });
    expect(status).toBe(0);
    expect(calls).toContain('npm run test:night\n');
    expect(calls).not.toContain('npm test');
  });
});
