import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startChild } from '../support/child.ts';

const root = join(import.meta.dirname, '..', '..');

/** The first commands of a section of README.md. */
async function commandsOf(section: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  return readme.split(`## ${section}\n`)[1]?.match(/(?: {4}.*\n)+/)?.[0] ?? '';
}

/** The commands for a configuration file, up to the one that serves it. */
async function stepsToCheckedConfiguration(): Promise<string> {
  const block = await commandsOf('Configuration');
  return block.slice(0, block.indexOf('    node dist/main.js serve '));
}

test('the steps of the README lead to a valid configuration', async () => {
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

test("the commands of the README print rules for a job of one's own, recording rules among them", async () => {
  const clone = await temporaryFolder();
  await symlink(join(root, 'dist'), join(clone, 'dist'));

  const child = startChild('sh', ['-ec', await commandsOf('Alerts')], { cwd: clone });
  expect(await child.ended).toBe(0);
  expect(child.output()).toMatch(/job="websites"/);
  expect(child.output()).toMatch(/- record: uptime:/);
});
