import { EventEmitter } from 'node:events';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/cli/serve.ts';
import { SighupHandler } from '../../src/cli/terminal.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { urlOf } from '../support/served-url.ts';

/** `serve` in this process, with an account whose service cannot be reached. */
async function startServing(env: Record<string, string> = {}) {
  const storagePath = await temporaryFolder();
  const lines: string[] = [];
  const signals = Object.assign(new EventEmitter(), { pid: 0, kill: () => undefined });
  let stop: (signal: string) => void = () => undefined;
  const stopped = new Promise<string>((resolve) => {
    stop = resolve;
  });
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
      untilStopped: () => stopped,
      sighup: new SighupHandler(signals),
    },
    { given: { listenAddresses: ['127.0.0.1:0'], storagePath }, checkOnly: false },
  );
  onTestFinished(async () => {
    stop('SIGTERM');
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
