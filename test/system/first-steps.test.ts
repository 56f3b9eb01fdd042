import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startChild } from '../support/child.ts';

const root = join(import.meta.dirname, '..', '..');

/** The first commands of a section of docs/installation.md. */
async function commandsOf(section: string): Promise<string> {
  const page = await readFile(join(root, 'docs/installation.md'), 'utf8');
  return page.split(`# ${section}\n`)[1]?.match(/(?: {4}.*\n)+/)?.[0] ?? '';
}

/** The commands for a configuration file, up to the one that serves it. */
async function stepsToCheckedConfiguration(): Promise<string> {
  const block = await commandsOf('A configuration file');
  return block.slice(0, block.indexOf('    node dist/main.js serve '));
}

test('the first steps lead to a valid configuration', async () => {
  const clone = await temporaryFolder();
  const token = join(clone, 'token');
  await writeFile(token, 'token-12345678\n');
  await mkdir(join(clone, 'examples'));
  await cp(join(root, 'examples/minimal.yaml'), join(clone, 'examples/minimal.yaml'));
  await symlink(join(root, 'dist'), join(clone, 'dist'));
  const steps = (await stepsToCheckedConfiguration())
    .replace('/path/to/the/token', token)
    .replace('npm run build', 'true');

  const child = startChild('sh', ['-ec', steps], { cwd: clone });
  expect(await child.ended).toBe(0);
  expect(child.output()).toContain('Configuration is valid.');
});

test('the plans of the first steps can be printed after its configuration was made', async () => {
  const token = 'token-12345678';
  const service = await startSandbox({
    clock: systemClock,
    limitsClock: systemClock,
    host: '127.0.0.1',
    port: 0,
    token,
    startedAt: Math.floor(systemClock.now() / 1000),
    checks: 5,
    transactions: 1,
  });
  onTestFinished(() => service.close());
  const clone = await temporaryFolder();
  await mkdir(join(clone, 'examples', 'secrets'), { recursive: true });
  await writeFile(join(clone, 'examples/secrets/token'), token);
  const minimal = await readFile(join(root, 'examples/minimal.yaml'), 'utf8');
  await writeFile(
    join(clone, 'examples/minimal.yaml'),
    minimal.replace('https://api.pingdom.com', service.url),
  );
  await symlink(join(root, 'dist'), join(clone, 'dist'));

  const child = startChild('sh', ['-ec', await commandsOf('What the request budget buys')], {
    cwd: clone,
  });
  expect(await child.ended).toBe(0);
  expect(child.output()).toContain('API 3.1: 200 checks, 20 transactions');
  expect(child.output()).toContain('API 3.1: 5 checks, 1 transaction\n');
});

test("the first steps print rules for a job of one's own, recording rules among them", async () => {
  const clone = await temporaryFolder();
  await symlink(join(root, 'dist'), join(clone, 'dist'));

  const child = startChild('sh', ['-ec', await commandsOf('Rules for your job')], { cwd: clone });
  expect(await child.ended).toBe(0);
  expect(child.output()).toMatch(/job="websites"/);
  expect(child.output()).toMatch(/- record: uptime:/);
});
