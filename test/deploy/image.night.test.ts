import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { startExporter } from '../support/exporter-command.ts';
import { freePort } from '../support/free-port.ts';
import { skipped } from '../support/skipped.ts';
import { missing, toolPath } from '../support/tools.ts';
import { parseDockerfile, type Stage, type Step } from './dockerfile.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const revision = '0123456789abcdef0123456789abcdef01234567';
const stages = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'), {
  REVISION: revision,
  BRANCH: 'v1.2.3',
});
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const token = 'image-token-1234567890';

/**
 * Needs no container engine. Each stage is a Debian with this machine's Node.js instead of the base
 * image's. Its steps run there with `chroot`, and the result runs as the image's user on a
 * read-only file system.
 */
function cannotRun(): boolean {
  const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
  const reason = isRoot ? undefined : 'the image is built in a chroot, which needs root on Linux';
  return skipped(reason) || missing('debootstrap') || missing('crane');
}

describe.skipIf(cannotRun())('the image', () => {
  let folder: string;
  let image: string;
  const last = stages.at(-1) as Stage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uptime-image-'));
    const base = join(folder, 'base');
    await makeBase(base);
    for (const [index, { steps, name, base: from, config }] of stages.entries()) {
      expect(from).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim$/);
      const stage = join(folder, name || `stage-${index}`);
      await run('cp', ['-a', '--reflink=auto', base, stage]);
      for (const step of steps) await take(step, stage, folder, config.env);
    }
    image = join(folder, `stage-${stages.length - 1}`);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Starts a container: arguments replace CMD, and the root file system is read-only. */
  function start(
    args: readonly string[],
    env: Record<string, string> = {},
    volume?: string,
  ): Child {
    const { entrypoint, cmd, user, workdir, config } = { ...last.config, config: last.config };
    const variables = { PATH: path, ...config.env, ...env };
    const script = `
      mount --bind "$IMAGE" "$IMAGE"
      mount --bind "$VOLUME" "$IMAGE/data"
      mount -o remount,ro,bind "$IMAGE"
      mount -t proc proc "$IMAGE/proc"
      exec chroot --userspec="${user}" --groups= "$IMAGE" /usr/bin/env -i "$@"`;
    return startChild(
      'unshare',
      [
        ...['--mount', '--propagation=private', 'sh', '-ec', script, 'sh'],
        ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
        ...['sh', '-c', 'cd "$0" && exec "$@"', workdir],
        ...entrypoint,
        ...(args.length > 0 ? args : cmd),
      ],
      { env: { IMAGE: image, VOLUME: volume ?? join(image, 'data') } },
    );
  }

  async function secret(name: string, mode: number): Promise<void> {
    const file = join(image, 'run', name);
    await writeFile(file, `${token}\n`);
    await chmod(file, mode);
  }

  test('holds the program and what it needs, and nothing else', async () => {
    expect(existsSync(join(image, 'app/dist/main.js'))).toBe(true);
    for (const absent of ['app/src', 'app/node_modules/typescript', 'app/node_modules/vitest']) {
      expect(existsSync(join(image, absent)), absent).toBe(false);
    }
    const { uid, gid } = await stat(join(image, 'data'));
    expect([uid, gid]).toEqual([1000, 1000]);
    expect(last.config.user).toBe('1000:1000');
  });

  test('serves as its user over a read-only file system, keeps what it counted, and stops in order', async () => {
    await secret('token', 0o444);
    const sandbox = startExporter(['sandbox', '--port=0', `--token=${token}`]);
    const [, url = ''] = await sandbox.until(/(http:\/\/127\.0\.0\.1:\d+)/);
    const port = await freePort();
    const env = { UPTIME_API_BASE_URL: url, UPTIME_API_TOKEN_FILE: '/run/token' };
    // The arguments contain only the address. They do not replace the path of the counters.
    const args = ['serve', `--web.listen-address=127.0.0.1:${port}`];
    let before = 0;
    for (let round = 0; round < 2; round++) {
      const child = start(args, env);
      await child.until(/listening|serving|http:/);
      const page = () =>
        fetch(`http://127.0.0.1:${port}/metrics`).then(
          (reply) => reply.text(),
          () => '',
        );
      await expect.poll(page).toMatch(/^uptime_check_status\{/m);
      const text = await page();
      expect(text).toContain(`revision="${revision}"`);
      expect(text).toContain('branch="v1.2.3"');
      expect(secondsCounted(text)).toBeGreaterThanOrEqual(before);
      before = secondsCounted(text);
      child.process.kill('SIGTERM');
      expect(await child.ended, child.output()).toBe(0);
    }
    const { stdout } = await run('find', [join(image, 'data'), '-type', 'f', '-uid', '1000']);
    expect(stdout).not.toBe('');
  });

  test('shows what is wrong with a token that only root may read', async () => {
    await secret('closed-token', 0o600);
    const env = {
      UPTIME_API_BASE_URL: 'https://api.example.com',
      UPTIME_API_TOKEN_FILE: '/run/closed-token',
    };
    const child = start([], env);
    expect(await child.ended).toBe(1);
    expect(child.output()).toContain(
      '/run/closed-token belongs to uid 0, gid 0 with mode 0600, and the exporter runs as uid 1000',
    );
  });

  test('runs other commands by their name alone', async () => {
    const version = start(['--version']);
    expect(await version.ended).toBe(0);
    const { version: wanted } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(version.output()).toContain(wanted);
    const demo = start(['demo', '--web.listen-address=127.0.0.1:0']);
    await demo.until(/Status page\s+http:/);
  });

  test('is an OCI image with the configuration of the Dockerfile, for both platforms', async () => {
    const port = await freePort();
    const registry = startChild(toolPath('crane'), [
      'registry',
      'serve',
      `--address=127.0.0.1:${port}`,
    ]);
    await registry.until(/serving|listening|port/i);
    const layer = join(folder, 'layer.tar.gz');
    await run('tar', ['-C', image, '--numeric-owner', '-czf', layer, 'app', 'data']);
    const name = `127.0.0.1:${port}/uptime-exporter`;
    const crane = async (...args: string[]) =>
      (await run(toolPath('crane'), args, { maxBuffer: 64 << 20 })).stdout;
    const { config } = last;
    for (const arch of ['amd64', 'arm64']) {
      await crane('append', '--oci-empty-base', '-f', layer, '-t', `${name}:${arch}`);
      await crane(
        ...['mutate', `${name}:${arch}`, '-t', `${name}:${arch}`],
        ...[`--set-platform=linux/${arch}`, `--user=${config.user}`, `--workdir=${config.workdir}`],
        ...[`--entrypoint=${config.entrypoint.join(',')}`, `--cmd=${config.cmd.join(',')}`],
        ...Object.entries(config.env).map(([key, value]) => `--env=${key}=${value}`),
        ...Object.entries(config.labels).map(([key, value]) => `--label=${key}=${value}`),
        ...config.ports.map((exposed) => `--exposed-ports=${exposed}/tcp`),
      );
    }
    const manifests = ['amd64', 'arm64'].flatMap((arch) => ['-m', `${name}:${arch}`]);
    await crane('index', 'append', '--docker-empty-base=false', ...manifests, '-t', `${name}:1`);

    const index = JSON.parse(await crane('manifest', `${name}:1`));
    expect(index).toMatchObject({
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [
        { platform: { os: 'linux', architecture: 'amd64' } },
        { platform: { os: 'linux', architecture: 'arm64' } },
      ],
    });
    await crane('validate', `--remote=${name}:amd64`);
    expect(JSON.parse(await crane('manifest', `${name}:amd64`))).toMatchObject({
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json' },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip' }],
    });
    const { config: read } = JSON.parse(await crane('config', `${name}:amd64`));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(read).toMatchObject({
      User: '1000:1000',
      WorkingDir: '/app',
      Entrypoint: ['node', '/app/dist/main.js'],
      Cmd: ['serve'],
      ExposedPorts: { '9158/tcp': {} },
      Labels: {
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': revision,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.base.name': `docker.io/library/${last.base}`,
      },
    });
    expect(read.Env).toEqual(
      expect.arrayContaining([
        'UPTIME_STORAGE_PATH=/data',
        'NODE_OPTIONS=--max-old-space-size=320 --max-semi-space-size=16',
      ]),
    );
    expect(read).not.toHaveProperty('Healthcheck');
  });
});

/** The smallest Debian, with Node.js and npm at the paths of the base image. */
async function makeBase(base: string): Promise<void> {
  await run(
    toolPath('debootstrap'),
    ['--variant=minbase', '--include=ca-certificates,libstdc++6,libatomic1', 'bookworm', base],
    { maxBuffer: 64 << 20 },
  );
  const npm = dirname(dirname((await run('readlink', ['-f', await npmPath()])).stdout.trim()));
  await mkdir(join(base, 'usr/local/lib/node_modules'), { recursive: true });
  await cp(process.execPath, join(base, 'usr/local/bin/node'));
  await cp(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true });
  await run('ln', [
    '-s',
    '../lib/node_modules/npm/bin/npm-cli.js',
    join(base, 'usr/local/bin/npm'),
  ]);
  // The registry is reached as this machine reaches it.
  for (const file of ['etc/resolv.conf', 'etc/hosts', 'etc/ssl/certs/ca-certificates.crt']) {
    if (existsSync(`/${file}`)) await cp(`/${file}`, join(base, file), { dereference: true });
  }
  await chown(join(base, 'run'), 0, 0);
}

function secondsCounted(page: string): number {
  const samples = page.matchAll(/^uptime_check_state_seconds_total\{.*\} (\S+)$/gm);
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
}

async function npmPath(): Promise<string> {
  return (await run('sh', ['-c', 'command -v npm'])).stdout.trim();
}

async function take(
  step: Step,
  stage: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const workdir = join(stage, step.workdir);
  await mkdir(workdir, { recursive: true });
  if (step.kind === 'copy') {
    const from = step.from === undefined ? root : join(folder, step.from);
    const target = resolve(step.workdir, step.target);
    for (const source of step.sources) {
      if (step.from === undefined) expect(contextHas(source), source).toBe(true);
      const isFolder = (await stat(join(from, source))).isDirectory();
      const path = isFolder ? target : join(target, basename(source));
      await mkdir(dirname(join(stage, path)), { recursive: true });
      await run('cp', ['-a', '--no-preserve=ownership', join(from, source), join(stage, path)]);
    }
    return;
  }
  await run(
    'unshare',
    [
      ...['--mount', '--propagation=private', 'sh', '-ec'],
      'mount -t proc proc "$1/proc"; exec chroot "$1" sh -ec "cd \\"$2\\"; $3"',
      ...['sh', stage, step.workdir, step.command],
    ],
    {
      env: {
        PATH: path,
        HOME: '/root',
        npm_config_cafile: '/etc/ssl/certs/ca-certificates.crt',
        ...env,
      },
      maxBuffer: 64 << 20,
    },
  );
}

/** Whether `.dockerignore`, which is a list of exceptions, includes a path. */
function contextHas(source: string): boolean {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
  return lines[0] === '*' && lines.includes(`!${source}`);
}
