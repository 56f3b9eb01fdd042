import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { type Child, startChild } from '../support/child.ts';
import {
  runDemo,
  startExporter,
  startServing,
  unreadableAccount,
} from '../support/exporter-command.ts';
import { freePort } from '../support/free-port.ts';
import { missing, toolPath } from '../support/tools.ts';

const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** The exporter as `systemd-socket-activate` starts it, with only the given environment. */
async function activated(...listeners: string[]): Promise<Child> {
  const variables = Object.entries(unreadableAccount).map(([name, value]) => `-E${name}=${value}`);
  const storage = `--storage.path=${join(await temporaryFolder(), 'data')}`;
  const command = [process.execPath, main, 'serve', '--web.systemd-socket', storage];
  const listen = listeners.map((address) => `--listen=${address}`);
  return startChild(toolPath('systemd-socket-activate'), [...variables, ...listen, ...command]);
}

async function statusOf(url: string): Promise<number> {
  const { statusCode, body } = await request(url);
  await body.text();
  return statusCode;
}

test.skipIf(missing('systemd-socket-activate'))(
  'systemd-socket-activate passes sockets, on each of which the exporter responds',
  async () => {
    const ports = [await freePort(), await freePort()];
    const child = await activated(...ports.map((port) => `127.0.0.1:${port}`));
    await child.until(/Listening on 127\.0\.0\.1:\d+ as 4/);

    for (const port of ports) {
      expect(await statusOf(`http://127.0.0.1:${port}/-/healthy`)).toBe(200);
      // The health check responds before the stored state is restored.
      await child.until(new RegExp(`msg="serving metrics" address=127\\.0\\.0\\.1:${port}`));
    }
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  },
);

test.skipIf(missing('systemd-socket-activate'))(
  'a UNIX socket is served, and clients in flight have their answers before it ends',
  async () => {
    const path = join(await temporaryFolder(), 'uptime.sock');
    const child = await activated(path);
    await child.until(/Listening on/);

    const agents = [1, 2, 3].map(() => new Agent({ connect: { socketPath: path } }));
    onTestFinished(() => Promise.all(agents.map((agent) => agent.destroy())).then(() => undefined));
    const statuses = agents.map(async (dispatcher) => {
      const { statusCode, body } = await request('http://exporter/-/healthy', { dispatcher });
      await body.text();
      return statusCode;
    });

    expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
    await child.until(/msg="serving metrics" address="socket of systemd"/);
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  },
);

test('without a socket of systemd it reports what is missing', async () => {
  const child = await startServing(['--web.systemd-socket']);

  expect(await child.ended).toBe(1);
  expect(child.output()).toContain('no socket activation file descriptors found');
  expect(child.output()).not.toMatch(/^\s+at /m);
});

test('it listens on every address that it is given, or on none', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const port = await freePort();
  const addresses = (...list: string[]) => list.map((one) => `--web.listen-address=${one}`);
  const both = await startServing(addresses(`127.0.0.1:${port}`, `[::1]:${port}`));
  await both.until(/serving metrics.*\n(.*\n)*.*serving metrics/);

  expect(await statusOf(`http://127.0.0.1:${port}/-/healthy`)).toBe(200);
  expect(await statusOf(`http://[::1]:${port}/-/healthy`)).toBe(200);
  const used = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  const none = await startServing(addresses('127.0.0.1:0', used));
  expect(await none.ended).toBe(1);
  expect(none.output()).toContain(`cannot listen on ${used}: the port is in use`);
});

test('the external URL gives every path its prefix', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await runDemo(
    '--checks=1',
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.external-url=https://example.com/uptime/',
  );
  await child.until(new RegExp(`Status page +${url}/uptime/`));

  expect(await statusOf(`${url}/uptime/metrics`)).toBe(200);
  expect(await statusOf(`${url}/metrics`)).toBe(404);
  const { headers } = await request(`${url}/`);
  expect(headers.location).toBe('https://example.com/uptime/');
});

test('the sections web, storage and log of the file apply to the process', async () => {
  const port = await freePort();
  const folder = await temporaryFolder();
  const [file, users] = [join(folder, 'uptime.yaml'), join(folder, 'web.yaml')];
  const alice = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
  writeFileSync(users, `basic_auth_users: { alice: ${alice} }\n`);
  writeFileSync(
    file,
    `accounts: [{ name: a, base_url: "http://127.0.0.1:1", token: a-token-1234567890 }]
web: { listen_address: "127.0.0.1:${port}", telemetry_path: /m, max_requests: 1, unauthenticated_probes: true }
storage: { path: ${join(folder, 'store')} }
log: { level: warn, format: json }
`,
  );
  const child = startExporter(['serve', `--config.file=${file}`, `--web.config.file=${users}`]);
  await child.until(/refresh failed/);
  const statusFor = async (path: string, user = '') => {
    const headers = user === '' ? {} : { authorization: `Basic ${btoa(user)}` };
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, { headers });
    await body.text();
    return statusCode;
  };

  expect(await statusFor('/-/healthy')).toBe(200);
  expect(await statusFor('/m')).toBe(401);
  expect(await statusFor('/m', 'alice:U*U')).toBe(200);
  expect(await statusFor('/metrics', 'alice:U*U')).toBe(404);
  // Scrapes that are sent at once do not always arrive at once.
  const statuses = new Set<number>();
  for (let round = 0; round < 50 && !statuses.has(503); round++) {
    const scrapes = Array.from({ length: 30 }, () => statusFor('/m', 'alice:U*U'));
    for (const status of await Promise.all(scrapes)) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([200, 503]));
  expect(existsSync(join(folder, 'store', 'uptime.db'))).toBe(true);
  const lines = child.output().trim().split('\n');
  const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
  expect(new Set(levels)).toEqual(new Set(['warn']));
});

test('a changed file with a secret is taken up by itself', async () => {
  const folder = await temporaryFolder();
  const token = join(folder, 'token');
  writeFileSync(token, 'one-token-1234567890');
  const file = join(folder, 'uptime.yaml');
  writeFileSync(
    file,
    'accounts: [{ name: a, base_url: "http://127.0.0.1:1", token_file: token }]\n',
  );
  const child = startExporter([
    'serve',
    `--config.file=${file}`,
    `--storage.path=${join(folder, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
    '--config.enable-auto-reload',
    '--config.auto-reload-interval=1s',
  ]);
  await child.until(/serving metrics/);

  writeFileSync(token, 'two-token-1234567890');

  await child.until(/msg="configuration reloaded"/);
});
