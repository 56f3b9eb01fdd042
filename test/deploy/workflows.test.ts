import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { missing, toolPath } from '../support/tools.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

test.skipIf(missing('actionlint')).each(workflows)('actionlint accepts %s', async (name) => {
  const outcome = await run(toolPath('actionlint'), ['-no-color', join(folder, name)]).catch(
    ({ stdout }) => ({ stdout }),
  );
  expect(outcome.stdout).toBe('');
});

describe.each(workflows)('%s', (name) => {
  test('names every action by its commit, with the version beside it', () => {
    const uses = [...read(name).matchAll(/uses: (.*)$/gm)].map(([, action]) => action ?? '');
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) {
      expect(action).toMatch(/^\.\/\.github\/|^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('lets a job do no more than it needs, and not forever', () => {
    const { permissions, jobs } = parse(read(name));
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values<{ uses?: string; 'timeout-minutes'?: number }>(jobs)) {
      if (job.uses === undefined) expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  });

  test('puts nothing that others write into a shell script', () => {
    const { jobs } = parse(read(name));
    for (const { steps = [] } of Object.values<{ steps?: { run?: string }[] }>(jobs)) {
      for (const step of steps) expect(step.run ?? '').not.toContain('${{');
    }
  });
});

describe('a pull request', () => {
  const { test: versions, whole } = parse(read('ci.yml')).jobs;

  test('is tested with each version of Node.js that the package promises, without privileges', () => {
    expect(versions.strategy.matrix.node).toEqual([20, 22, 24]);
    expect(versions).not.toHaveProperty('container');
    const commands = versions.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(commands).toEqual(['npm ci', 'npm run lint', 'npm run typecheck', 'npm test']);
  });

  test('is tested once with all programs', () => {
    expect(whole).not.toHaveProperty('strategy');
    expect(whole.steps.at(-1).run).toBe('.ci/run');
  });
});

describe('the notes of a release', () => {
  const script = join(root, 'scripts/changelog-section.mjs');

  test('are the section of the changelog', async () => {
    const { stdout } = await run(process.execPath, [script, 'Unreleased']);
    expect(stdout).toMatch(/^The first release\. /);
    expect(stdout).not.toMatch(/^## /m);
  });

  test('of a version that the changelog does not know are refused', async () => {
    await expect(run(process.execPath, [script, '9.9.9'])).rejects.toThrow(/no section "## 9.9.9"/);
  });
});
