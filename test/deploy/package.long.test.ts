import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChild } from '../support/child.ts';
import { extent } from '../support/extent.ts';
import { freePort } from '../support/free-port.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const current = Number(process.versions.node.split('.')[0]);
/** NODE_VERSIONS=20,22 tries these; at night all that the package promises. */
const versions = (process.env.NODE_VERSIONS ?? extent(`${current}`, '20,22,24'))
  .split(',')
  .map(Number);

/**
 * The lines of `npm` that a person would read as a problem. Its own settings are not part of the
 * package.
 */
const complaints = (text: string) =>
  text
    .split('\n')
    .filter((line) => /warn|deprecated|vulnerab/i.test(line))
    .filter((line) => !/Unknown \w+ config|^npm warn install-scripts/.test(line));

interface LockedPackage {
  readonly integrity?: string;
  /** A package of this repository. */
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

let folder: string;
/** A clone with the files of this folder as they are. `dist` stays here, where other tests use it. */
let clone: string;
let tarball: string;
const npm = (args: readonly string[], cwd: string) =>
  run('npm', args, { cwd, env: { ...process.env, NODE_ENV: '' }, maxBuffer: 64 << 20 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-package-'));
  clone = join(folder, 'clone');
  await run('git', ['clone', '-q', root, clone]);
  const { stdout: tracked } = await run('git', ['ls-files', '-z'], { cwd: root });
  const isHere = (path: string) => path !== '' && existsSync(join(root, path));
  for (const file of tracked.split('\0').filter(isHere)) {
    await cp(join(root, file), join(clone, file));
  }
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  const { stdout } = await npm(['pack', '--json'], clone);
  tarball = join(clone, JSON.parse(stdout.slice(stdout.indexOf('[\n')))[0].filename);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('npm pack leaves nothing untracked', async () => {
  const { stdout } = await run('git', ['status', '--porcelain', '--untracked-files'], {
    cwd: clone,
  });
  const untracked = stdout.split('\n').filter((line) => line.startsWith('??'));
  // A link here; a person has a folder.
  expect(untracked.filter((line) => line !== '?? node_modules')).toEqual([]);
});

async function emptyFolder(): Promise<string> {
  const path = await mkdtemp(join(folder, 'user-'));
  await writeFile(join(path, 'package.json'), '{ "private": true }');
  return path;
}

test('the package holds what it needs to run and to be set up, no sources, no maps', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));
  for (const wanted of [
    'package.json',
    'README.md',
    'LICENSE',
    'SECURITY.md',
    'dist/main.js',
    'alerts/uptime.yaml',
    'alerts/with/housekeeping.yaml',
    'dashboards/overview.json',
    'deploy/helm/uptime-exporter/Chart.yaml',
    'deploy/helm/uptime-exporter/files/rules.yaml',
    'deploy/helm/uptime-exporter/files/dashboards/overview.json',
    'deploy/kubernetes/prometheus-rule.yaml',
    'deploy/systemd/uptime-exporter.service',
    'docs/installation.md',
    'examples/minimal.yaml',
  ]) {
    expect(files).toContain(wanted);
  }
  expect(
    files.filter((path) =>
      /^(?:src|sandbox|test|build|tools)\/|\.ts$|\.map$|\/secrets\//.test(path),
    ),
  ).toEqual([]);
  const bundled = files.filter((path) => path.startsWith('dist/'));
  for (const path of bundled) {
    expect(await readFile(join(clone, path), 'utf8'), path).not.toContain('sourceMappingURL');
  }
});

test('the manifest can be published and found', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('private');
  expect(manifest.keywords).toEqual(expect.arrayContaining(['pingdom', 'prometheus-exporter']));
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  );
  const without = Object.entries(packages)
    .filter(
      ([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && !integrity,
    )
    .map(([path]) => path);
  // A registry without the linter's binaries for other systems has no hashes of them. `npm run
  // set-home -- --check` requires them.
  expect(without.filter((path) => !path.startsWith('node_modules/@biomejs/cli-'))).toEqual([]);
});

test('no package runs a script at install', async () => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  );
  const scripted = Object.entries(packages)
    .filter(([, { dev, hasInstallScript }]) => hasInstallScript === true && dev !== true)
    .map(([path]) => path.replace('node_modules/', ''));
  expect(scripted).toEqual([]);
});

describe.each(versions)('with Node.js %i, from the package in an empty folder,', (version) => {
  let path: string;
  let bin: string;

  beforeAll(async () => {
    path = await emptyFolder();
    const installed = await npm(['install', tarball], path);
    expect(complaints(installed.stdout + installed.stderr)).toEqual([]);
    bin = version === current ? dirname(process.execPath) : await nodeOf(version);
  });

  // The folder of the demo, which the test kills, is removed with the others.
  const environment = () => ({ ...process.env, PATH: `${bin}:${process.env.PATH}`, TMPDIR: path });
  // The command that npx runs. When npx is killed, the command continues.
  const start = (...args: string[]) =>
    startChild(join(path, 'node_modules/.bin/uptime-exporter'), args, {
      cwd: path,
      env: environment() as never,
    });

  test('npx finds it, and it names the commit that it was built from', async () => {
    const options = { cwd: path, env: environment() };
    const { stdout } = await run('npx', ['uptime-exporter', '--version'], options);
    const commit = (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout;
    expect(stdout).toContain(`revision: ${commit.slice(0, 12)}`);
    expect(stdout).toContain(
      JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version,
    );
  });

  test('demo shows its account', async () => {
    const { stdout } = await run('node', ['--version'], { env: environment() });
    expect(stdout).toMatch(new RegExp(`^v${version}\\.`));
    const port = await freePort();
    const demo = start('demo', '--checks=3', `--web.listen-address=127.0.0.1:${port}`);
    await demo.until(/Status page\s+http:/);
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^uptime_check_status\{/m);
    expect(await metrics()).toContain(`version="v${version}.`);
  });

  test('serve watches an account; plan, rules, check-config and backfill answer', async () => {
    const token = 'package-token-1234567890';
    const sandbox = start('sandbox', '--port=0', `--token=${token}`);
    const [, url = ''] = await sandbox.until(/(http:\/\/127\.0\.0\.1:\d+)/);
    await writeFile(join(path, 'token'), token);
    const accounts = `accounts:\n  - { name: a, base_url: "${url}", token_file: token }\n`;
    await writeFile(join(path, 'uptime.yaml'), accounts);
    const check = start('check-config', 'uptime.yaml');
    expect(await check.ended, check.output()).toBe(0);
    const plan = start('plan', '--checks=10', '--short=400', '--long=72000');
    expect(await plan.ended, plan.output()).toBe(0);
    const rules = start('rules');
    expect(await rules.ended, rules.output()).toBe(0);
    expect(rules.output()).toMatch(/^groups:/m);

    const port = await freePort();
    const args = ['--config.file=uptime.yaml', `--web.listen-address=127.0.0.1:${port}`];
    start('serve', ...args);
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready).toBe(200);
    expect(existsSync(join(path, 'data'))).toBe(true);

    const from = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10);
    const exporter = `--exporter=http://127.0.0.1:${port}`;
    const backfill = start('backfill', exporter, `--from=${from}`, '--plan');
    expect(await backfill.ended, backfill.output()).toBe(0);
    expect(backfill.output()).toContain('requests');
  });
});

test('the steps for systemd install the package without development tools', async () => {
  const path = await mkdtemp(join(folder, 'built-'));
  const manual = await readFile(join(root, 'docs', 'installation.md'), 'utf8');
  const [, section = ''] = manual.split('## systemd\n');
  const steps = (section.match(/^ {4}(?:tar|npm) .+$/gm) ?? []).map((step) =>
    step.replace('uptime-exporter-*.tgz', tarball).replace('/opt/uptime-exporter', path),
  );
  expect(steps).toHaveLength(2);
  await run('sh', ['-ec', steps.join('\n')], { cwd: folder });

  expect(existsSync(join(path, 'node_modules', 'vitest'))).toBe(false);
  const child = startChild('npm', ['start', '--', '--help'], {
    cwd: path,
    env: process.env as never,
  });
  expect(await child.ended, child.output()).toBe(0);
  expect(child.output()).toContain('--storage.path');
});

/** The folder with another Node.js, from its package in the registry. */
async function nodeOf(version: number): Promise<string> {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const path = await emptyFolder();
  const name = `node-linux-${arch}`;
  await npm(['install', '--ignore-scripts', `${name}@${version}`], path);
  return join(path, 'node_modules', name, 'bin');
}
