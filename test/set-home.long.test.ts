import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const script = join(root, 'scripts/set-home.mjs');
const addresses: Record<string, string> = JSON.parse(
  readFileSync(join(root, 'project.json'), 'utf8'),
);

// In two parts, because the whole would be replaced here as well.
const github = ['https://github.com', 'Acme/uptime'].join('/');
const image = ['ghcr.io', 'acme/uptime'].join('/');

let clone: string;
const read = (path: string) => readFileSync(join(clone, path), 'utf8');
const setHome = (...args: string[]) =>
  run(process.execPath, [script, ...args], {
    env: { ...process.env, UPTIME_EXPORTER_ROOT: clone },
  });

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'home-'));
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root });
  for (const file of stdout.split('\0').filter((path) => path !== '')) {
    await mkdir(dirname(join(clone, file)), { recursive: true });
    cpSync(join(root, file), join(clone, file));
  }
  await run('git', ['init', '-q'], { cwd: clone });
  await run('git', ['add', '-A'], { cwd: clone });
});

afterAll(() => rm(clone, { recursive: true, force: true }));

async function filesWith(text: string): Promise<string[]> {
  const found = run('git', ['grep', '-lF', text], { cwd: clone }).catch(() => ({ stdout: '' }));
  return (await found).stdout.split('\n').filter((path) => path !== '');
}

async function changed(): Promise<string> {
  return (await run('git', ['diff', '--name-only'], { cwd: clone })).stdout;
}

const lockfileWithoutHash = JSON.stringify({
  packages: { '': {}, 'node_modules/one': { version: '1.0.0' } },
});

test('one command gives the project a home on GitHub, everywhere, and another takes it back', async () => {
  const places = await Promise.all(Object.values(addresses).map(filesWith));
  for (const files of places) expect(files.length).toBeGreaterThan(1);

  await setHome(github);
  for (const address of Object.values(addresses)) expect(await filesWith(address)).toEqual([]);
  const manifest = JSON.parse(read('package.json'));
  expect(manifest).toMatchObject({
    homepage: `${github}#readme`,
    repository: { url: `git+${github}.git` },
    bugs: { url: `${github}/issues` },
  });
  expect(read('deploy/helm/uptime-exporter/values.yaml')).toContain(image);
  // With the project's lockfile, which has the hashes of all packages for all platforms.
  await setHome('--check');
  await writeFile(join(clone, 'package-lock.json'), lockfileWithoutHash);
  await expect(setHome('--check')).rejects.toThrow(/no integrity of node_modules\/one; see/);
  cpSync(join(root, 'package-lock.json'), join(clone, 'package-lock.json'));

  await setHome(
    addresses.home ?? '',
    ...['image', 'charts'].flatMap((key) => [`--${key}`, addresses[key] ?? '']),
  );
  expect(await changed()).toBe('');
});

test.each([
  [[], /usage/],
  [['http://github.com/acme/uptime'], /usage/],
  [['https://git.acme.com/uptime'], /outside of GitHub give also --image, --charts/],
  [['--check'], /names no real address/],
])('%j is refused', async (args, reason) => {
  await expect(setHome(...args)).rejects.toThrow(reason);
  expect(await changed()).toBe('');
});
