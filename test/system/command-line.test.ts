import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';
import { startDemo, startExporter, startServing } from '../support/exporter-command.ts';
import { casesOf } from '../support/extent.ts';

const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
);

describe('uptime-exporter', () => {
  test('--version prints the version of the package and its commit as Prometheus does', async () => {
    const child = startExporter(['--version'], { UPTIME_EXPORTER_REVISION: '0123abc' });
    expect(await child.ended).toBe(0);
    const [first, ...rest] = child.output().split('\n');
    expect(first).toBe(
      `uptime-exporter, version ${manifest.version} (branch: unknown, revision: 0123abc)`,
    );
    expect(rest).toContain(`  node version:     ${process.version}`);
  });

  test.each(['--help', '-h'])('%s names every command', async (flag) => {
    const { exitCode, output } = await runCommandLine([flag]);
    expect(exitCode).toBe(0);
    for (const command of ['serve', 'demo', 'sandbox', 'metrics']) {
      expect(output).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
    }
  });

  test.each([
    [['demo', '--checks=many'], 'whole number'],
    [['demo', '--log.level=loud'], 'Allowed choices are debug, info, warn, error'],
    [['demo', '--web.listen-address=9158'], 'bad listen address'],
    [['demo', '--web.telemetry-path=metrics'], 'must begin with a slash'],
    [['demo', '--web.telemetry-path=/-/healthy'], 'health checks'],
    [['demo', '--web.telemetry-path=/status/metrics'], 'public pages'],
    [['sandbox', '--port=70000'], '0 to 65535'],
  ])('%j is refused with a reason', async (args, reason) => {
    const { exitCode, output } = await runCommandLine(args);
    expect(exitCode).toBe(1);
    expect(output).toContain(reason);
    expect(output).not.toMatch(/^\s+at /m);
  });

  test('a process that is refused something ends with that exit code', async () => {
    const child = startExporter(['--web.listen-addres=:1']);
    expect(await child.ended).toBe(1);
    expect(child.output()).toContain('unknown option');
    expect(child.output()).not.toMatch(/^\s+at /m);
  });

  test('touches no store when the address to listen on is bad', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uptime-exporter-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'store');

    const flags = ['--web.listen-address=nonsense', `--storage.path=${path}`];
    const { exitCode, output } = await runCommandLine(flags, {
      UPTIME_API_BASE_URL: 'http://127.0.0.1:9',
      UPTIME_API_TOKEN: 'token-0123456789',
    });

    expect(exitCode).toBe(1);
    expect(output).toContain('bad listen address: it is not host:port');
    expect(existsSync(path)).toBe(false);
  });

  test('reports a port that is in use', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void occupied.close());
    await new Promise((resolve) => occupied.once('listening', resolve));
    const address = occupied.address();
    const port = typeof address === 'object' ? address?.port : undefined;

    const child = await startServing([`--web.listen-address=127.0.0.1:${port}`]);

    expect(await child.ended).toBe(1);
    expect(child.output()).toContain(`cannot listen on 127.0.0.1:${port}: the port is in use`);
  });
});

describe('stopping', () => {
  test.each(casesOf(['SIGTERM', 'SIGINT'] as const, 0))(
    '%s ends the demo with exit code 0',
    async (signal) => {
      const demo = await startDemo(['--checks=1']);
      demo.process.kill(signal);
      expect(await demo.ended).toBe(0);
    },
  );

  test('serve logs its end and leaves no error behind', async () => {
    const service = startExporter(['sandbox', '--port=0', '--short-limit=11600']);
    const [, url = ''] = await service.until(/is at (http:\S+)/);
    const [, token = ''] = await service.until(/token is (\S+)/);
    const folder = await mkdtemp(join(tmpdir(), 'uptime-exporter-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const flags = ['--web.listen-address=127.0.0.1:0', `--storage.path=${folder}`];
    const child = startExporter(flags, {
      UPTIME_API_BASE_URL: url,
      UPTIME_API_TOKEN: token,
    });
    await child.until(/first refresh succeeded.*dataset=checks/);

    child.process.kill('SIGTERM');

    expect(await child.ended).toBe(0);
    expect(child.output()).toContain('msg=stopped');
    expect(child.output()).not.toMatch(/level=error/);
    expect(child.output()).not.toContain(token);
  });
});

test('the sandbox answers the command that it prints', async () => {
  const child = startExporter(['sandbox', '--port=0', '--checks=3']);
  const [, token, address = ''] = await child.until(/Bearer (\S+)' '(http:\S+)'/);

  const { statusCode, body } = await request(address, {
    headers: { authorization: `Bearer ${token}` },
  });

  expect(statusCode).toBe(200);
  expect(await body.json()).toMatchObject({ counts: { total: 3, limited: 2 } });
});
