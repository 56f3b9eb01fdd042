import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { echoFaults } from '../../sandbox/src/faults/echo-faults.ts';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { accountCredentials, bearerToken } from '../../src/api/http/authentication.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { Secret } from '../../src/lib/secret.ts';
import { openStore } from '../store/support/open-store.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

/** Every kind of escaping or encoding changes each of these. */
const token = 'tok"en\\+/&=~<%>?9876543210';
const password = 'pass"w\\rd +/&=~<%>?1234567890';
const appKey = 'app"k\\y+/&=~<%>?abcdefghij';
const proxyPassword = 'pr"x\\y +/&=~<%>?0246813579';
const email = 'demo@example.com';

const legacy = accountCredentials({
  email,
  password: new Secret(password),
  appKey: new Secret(appKey),
});
const accounts: readonly (Pick<AccountSettings, 'version' | 'authentication'> & {
  readonly secrets: readonly string[];
})[] = [
  { version: '3.1', authentication: bearerToken(new Secret(token)), secrets: [token, `${token}:`] },
  {
    version: '2.1',
    authentication: legacy,
    secrets: [password, appKey, `${email}:${password}`],
  },
  {
    version: '2.0',
    authentication: legacy,
    secrets: [password, appKey, `${email}:${password}`],
  },
];

/** Plain, in base64, and escaped for JSON, HTML or a URL. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [secret, base64, bytes.toString('base64url')].flatMap((form) => [
    form,
    JSON.stringify(form).slice(1, -1),
    encodeURIComponent(form),
    new URLSearchParams({ form }).toString().slice('form='.length),
    form
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
  ]);
}

const paths = [
  '/metrics',
  '/metrics?compat=jusbrasil',
  '/',
  '/status.json',
  '/sd',
  '/outages.json',
  '/config',
  '/-/healthy',
  '/-/ready',
];

/** All readable output of the exporter, keyed by its source. */
async function shownBy(
  exporter: RestartableExporter,
  folder?: string,
): Promise<[string, string][]> {
  const shown: [string, string][] = [['the log', exporter.log.join('')]];
  for (const path of paths) {
    const { headers, body } = await request(exporter.url + path);
    shown.push([path, JSON.stringify(headers) + (await body.text())]);
  }
  if (folder === undefined) return shown;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    shown.push([path, (await readFile(path)).toString('latin1')]);
  }
  return shown;
}

function expectHidden(shown: readonly [string, string][], secrets: readonly string[]): void {
  for (const [place, text] of shown) {
    for (const form of secrets.flatMap(formsOf)) {
      expect([place, form, text.includes(form)]).toEqual([place, form, false]);
    }
  }
}

test.each(casesOf(accounts, 0))(
  'credentials of version $version that the service repeats in every way are shown nowhere',
  async ({ version, authentication, secrets }) => {
    const folder = await temporaryFolder();
    const { store } = await openStore(folder);
    onTestFinished(() => store.close());
    const exporter = await RestartableExporter.create({
      checks: 6,
      transactions: 2,
      token,
      email,
      password,
      appKey,
      store,
    });
    exporter.sandbox.faults.inject({ kind: 'echo-credentials-in-texts' });
    await exporter.start({ version, authentication });
    await exporter.pass(3_600);
    const whole = await shownBy(exporter, folder);

    for (const kind of Object.keys(echoFaults) as FaultName[]) {
      exporter.sandbox.faults.clear();
      exporter.sandbox.faults.inject({ kind });
      await exporter.pass(1_200);
      expectHidden(await shownBy(exporter, folder), secrets);
    }

    expectHidden(whole, secrets);
    const places = new Map(whole);
    expect(places.get('/metrics')).toMatch(/uptime_check_up\{.*<secret>.*\} [01]/);
    expect(places.get('/metrics')).toMatch(/uptime_check_tag_info\{.*<secret>/);
    expect(places.get('/')).toContain('&lt;secret>');
    expect(places.get('/status.json')).toContain('<secret>');
    expect(places.get(join(folder, 'uptime.db-wal'))).toContain('<secret>');
    expect(exporter.log.join('')).toMatch(/level=(?:warn|error) .*<secret>/);
  },
);

test('the password of a proxy that repeats it is shown nowhere', async () => {
  const words = `refused ${proxyPassword} ${encodeURIComponent(proxyPassword)} ${Buffer.from(proxyPassword).toString('base64')}`;
  const error = { statuscode: 407, statusdesc: 'Proxy', errormessage: words };
  const proxy = createServer((_request, response) => {
    response.writeHead(407, { 'Content-Type': 'application/json', 'X-Why': words });
    response.end(JSON.stringify({ error }));
  });
  proxy.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    socket.end(`HTTP/1.1 407 ${words}\r\nX-Why: ${words}\r\n\r\n${words}`);
  });
  const { port, close } = await startProxy(proxy);
  onTestFinished(close);
  const exporter = await RestartableExporter.create({ checks: 2, isConnected: true });
  const url = `http://me:${encodeURIComponent(proxyPassword)}@127.0.0.1:${port}`;
  await exporter.start({ proxy: { url, except: '' } });

  await exporter.pass(3_600);

  const shown = await shownBy(exporter);
  expectHidden(shown, [proxyPassword, `me:${proxyPassword}`]);
  expect(exporter.log.join('')).toMatch(/level=(?:warn|error) .*dataset=checks/);
});

async function startProxy(server: ReturnType<typeof createServer>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
