import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { serve } from '../../src/cli/serve.ts';
import { SighupHandler } from '../../src/cli/terminal.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { urlOf } from '../support/served-url.ts';
import { folder, noSighup } from './support.ts';

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** `serve` in this process, with an account whose service cannot be reached. */
async function startServing(env: Record<string, string> = {}) {
  const storagePath = await temporaryFolder();
  const lines: string[] = [];
  const signals = Object.assign(new EventEmitter(), { pid: 0, kill: () => undefined });
  const stop = deferred<string>();
  const serving = serve(
    {
      argv: [],
      env: {
        UPTIME_API_BASE_URL: 'http://127.0.0.1:9',
        UPTIME_API_TOKEN: 'token-12345678',
        ...env,
      },
      stdout: { write: () => undefined },
      stderr: { write: (line: string) => lines.push(line) },
      untilStopped: () => stop.promise,
      sighup: new SighupHandler(signals),
    },
    { given: { listenAddresses: ['127.0.0.1:0'], storagePath }, checkOnly: false },
  );
  onTestFinished(async () => {
    stop.resolve('SIGTERM');
    await serving;
  });
  return {
    hangUp: () => signals.emit('SIGHUP'),
    lineWith: (text: string) => expect.poll(() => lines.join('')).toContain(text),
    build: async () => {
      const { body } = await request(`${urlOf(lines)}/metrics`);
      return (await body.text()).match(/uptime_exporter_build_info\{.*\} 1/)?.[0];
    },
  };
}

test.each([
  [{ UPTIME_EXPORTER_REVISION: '1a2b3c', UPTIME_EXPORTER_BRANCH: 'v1' }, '1a2b3c', 'v1'],
  [{}, '', ''],
])('with %j, the metrics have revision %j of %j', async (env, revision, branch) => {
  const exporter = await startServing(env);
  await exporter.lineWith('serving metrics');

  expect(await exporter.build()).toContain(`revision="${revision}",branch="${branch}"`);
});

test('a hang-up that comes during the start reloads the configuration once it serves', async () => {
  const exporter = await startServing();
  exporter.hangUp();

  await exporter.lineWith('configuration reloaded');
});

test('flags come before the file, and the file before the defaults', async () => {
  const path = folder({
    token: 'abc',
    'uptime.yaml': `
web: { listen_address: "127.0.0.1:1", telemetry_path: /from-file }
storage: { path: store }
log: { level: error, format: json }
accounts: [{ name: shop, base_url: "http://127.0.0.1:9", token_file: token }]`,
  });
  const stop = deferred<string>();
  const address = deferred<string>();
  const argv = [`--config.file=${join(path, 'uptime.yaml')}`];
  const ended = run({
    argv: [...argv, '--web.listen-address=127.0.0.1:0', '--log.level=info'],
    env: {},
    stdout: { write: () => {} },
    stderr: {
      write: (text) => {
        const line = JSON.parse(text);
        if (line.msg === 'serving metrics') address.resolve(line.address);
      },
    },
    sighup: noSighup(),
    untilStopped: () => stop.promise,
  });

  const { statusCode, body } = await request(`http://${await address.promise}/from-file`);
  await body.dump();
  stop.resolve('SIGTERM');

  expect(statusCode).toBe(200);
  expect(await ended).toBe(0);
  expect(existsSync(join(path, 'store'))).toBe(true);
});
