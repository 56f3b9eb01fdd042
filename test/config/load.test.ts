import { describe, expect, test, vi } from 'vitest';
import { proxySecrets } from '../../src/api/http/proxy-secrets.ts';
import type { ProxyServer } from '../../src/api/http/proxy-server.ts';
import { createRefreshes } from '../../src/datasets/index.ts';
import { datasetNames } from '../../src/domain/dataset.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { Scrubber } from '../../src/lib/secret.ts';
import { read } from './support.ts';

const fromEnvironment: ProxyServer = { url: 'http://proxy:1', except: 'localhost' };

function account(lines: string, proxy?: ProxyServer) {
  const indented = lines
    .trim()
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('');
  return read(
    `accounts:\n  - name: shop\n    base_url: https://api.example.com/\n${indented}`,
    proxy,
  ).accounts[0];
}

test('reads the account with its token from a file beside the configuration', () => {
  const shop = account('token_file: token');
  expect(shop).toMatchObject({ name: 'shop', baseUrl: 'https://api.example.com', version: '3.1' });
  expect(shop?.authentication.headers()).toEqual({ authorization: 'Bearer token-from-file' });
});

describe('the version', () => {
  const legacy = '\nemail: a@b.c\npassword: p\napp_key: k';
  test.each([
    ['3.1', '3.1', '\ntoken: t'],
    ['"3.1"', '3.1', '\ntoken: t'],
    ['2.0', '2.0', legacy],
    ['2', '2.0', legacy],
    ["'2.0'", '2.0', legacy],
    ['2.1', '2.1', legacy],
  ])('%s is %s', (written, version, credentials) => {
    expect(account(`version: ${written}${credentials}`)?.version).toBe(version);
  });

  test.each(['2.05', '3', '"2"', 'latest', '3.10001'])('%s is not one', (written) => {
    expect(() => account(`version: ${written}${legacy}`)).toThrow('allowed: 3.1, 2.1, 2.0');
  });
});

test('reads everything else of an account in the units of the program', () => {
  const shop = account(`
token: t
budget: { reserve: { short: 12.5%, long: 5000 }, fallback_requests_per_hour: 60 }
datasets: { average: { enabled: false }, results: { floor: 1h30m } }
by_country: true
response_time_buckets: [0.1, 1]
transaction_response_unit: microseconds
timeouts: { connect: 500ms, total: 1m }
max_body_size: 2MiB
ca_file: ca.pem
proxy: http://proxy.example.com:3128
concurrency: 2`);
  expect(shop).toMatchObject({
    reserve: { short: { share: 0.125 }, long: { requests: 5000 } },
    fallbackRequestsPerHour: 60,
    datasets: { average: { enabled: false, byCountry: true }, results: { floorSeconds: 5_400 } },
    byCountry: true,
    responseTimeBounds: [0.1, 1],
    transactionResponseUnit: 'microseconds',
    timeouts: { connect: 500, total: 60_000 },
    maxBodyBytes: 2_097_152,
    caCertificates: expect.stringContaining('BEGIN CERTIFICATE'),
    proxy: { url: 'http://proxy.example.com:3128', except: '' },
    concurrency: 2,
  });
});

test('plain http to another machine takes insecure_http', () => {
  const text =
    'accounts: [{ name: lab, token: t, base_url: "http://lab:8080", insecure_http: true }]';
  expect(read(text).accounts[0]?.baseUrl).toBe('http://lab:8080');
});

test('a value may be given by an alias', () => {
  const text = `
accounts:
  - { name: a, token: &token abc, base_url: &url "https://api.example.com" }
  - { name: b, token: *token, base_url: *url }`;
  expect(read(text).accounts[1]?.authentication.headers()).toEqual({ authorization: 'Bearer abc' });
});

test('a problem behind an alias is reported at its place and at its use', () => {
  const text = `
accounts:
  - { name: a, token: t, base_url: "https://a.b", timeouts: &slow { total: 1y } }
  - { name: b, token: t, base_url: "https://a.b", timeouts: *slow }`;
  expect(() => read(text)).toThrow(
    /:3:76: accounts\[0]\.timeouts\.total: .*\n.*:3:76: accounts\[1]\.timeouts\.total: /,
  );
});

describe('a merge key', () => {
  const first =
    '  - &a { name: a, token: abc, base_url: "https://api.example.com", concurrency: 2 }';

  test('takes over what the account does not say itself', () => {
    const text = `accounts:\n${first}\n  - { <<: *a, name: b, concurrency: 3 }`;
    const [, second] = read(text).accounts;
    expect(second).toMatchObject({ name: 'b', baseUrl: 'https://api.example.com', concurrency: 3 });
    expect(second?.authentication.headers()).toEqual({ authorization: 'Bearer abc' });
  });

  test('takes several mappings, of which the first one counts', () => {
    const text = `accounts:
  - { name: a, token: abc, base_url: "https://a.b", timeouts: &fast { total: 1s } }
  - { name: b, token: abc, base_url: "https://a.b", timeouts: &slow { total: 9s, body: 500ms } }
  - { name: c, token: abc, base_url: "https://a.b", timeouts: { <<: [*fast, *slow] } }`;
    expect(read(text).accounts[2]?.timeouts).toEqual({ total: 1000, body: 500 });
  });

  test('has problems told where they stand', () => {
    const text = `accounts:
  - &a { name: a, token: abc, base_url: "https://a.b", timeouts: { total: 1y }, colour: red }
  - { <<: *a, name: b }`;
    expect(() => read(text)).toThrow(
      /:2:75: accounts\[1]\.timeouts\.total: [\s\S]*:2:81: accounts\[1]: unknown key/,
    );
  });

  test.each(['abc', '[abc]', ''])('with %j instead of a mapping is refused', (source) => {
    expect(() => read(`accounts:\n  - { <<: ${source}, name: b }`)).toThrow(
      /^uptime\.yaml:2:\d+: a merge key \(<<\) takes an alias of a mapping, or a list of such aliases$/,
    );
  });

  test('that leads back to itself is refused', () => {
    expect(() => read('accounts:\n  - &a { name: b, <<: *a }')).toThrow('expand to too much data');
  });
});

test('hundreds of accounts may repeat what one of them has', () => {
  const first =
    '- &first { name: "0", base_url: "https://a.b", token: t, timeouts: &all { total: 9s } }';
  const others = Array.from(
    { length: 500 },
    (_, i) => `- { <<: *first, name: "${i + 1}", timeouts: *all }`,
  );
  const { accounts } = read(`accounts:\n${[first, ...others].join('\n')}`);
  expect(accounts).toHaveLength(501);
  expect(accounts.at(-1)).toMatchObject({ baseUrl: 'https://a.b', timeouts: { total: 9000 } });
});

test('aliases that expand to too much data are refused', () => {
  const layers = Array.from({ length: 9 }, (_, i) => {
    const items = Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*a${i - 1}`)).join(', ');
    return `- &a${i} [${items}]`;
  });
  expect(() => read(layers.join('\n'))).toThrow('uptime.yaml:1:1: the aliases (*) expand');
});

test.each(['http://me:%zz@proxy:1', 'socks5://proxy:1', 'proxy:3128', '//proxy'])(
  'a proxy at %s is refused',
  (proxy) => {
    expect(() => account(`token: t\nproxy: ${proxy}`)).toThrow('accounts[0].proxy: found a text;');
  },
);

test.each([
  ['me:pass%20word@', ['pass%20word', 'pass word', 'me:pass word']],
  ['me%40a:word@', ['word', 'me@a:word']],
  ['key%2Fof-mine@', ['key%2Fof-mine', 'key/of-mine']],
  ['key:@', ['key']],
  ['', []],
])('of a proxy at %j, these are secrets: %j', (credentials, secrets) => {
  const shop = account(`token: t\nproxy: http://${credentials}proxy.example.com:3128`);
  expect(proxySecrets(shop ?? {}).map((secret) => secret.reveal())).toEqual(secrets);
});

test('what a proxy is sent is scrubbed from the log, be it a user and password or a user alone', () => {
  const scrubbed = (credentials: string) => {
    const shop = account(`token: t\nproxy: http://${credentials}@proxy.example.com:3128`);
    const sent = Buffer.from(credentials.includes(':') ? credentials : `${credentials}:`);
    return new Scrubber(proxySecrets(shop ?? {})).scrub(`Basic ${sent.toString('base64')}`);
  };
  expect(scrubbed('me:password-123')).toBe('Basic <secret>');
  expect(scrubbed('api-key-123')).toBe('Basic <secret>');
});

test.each([
  ['http://me:password@proxy:1', 'http://<secret>@proxy:1'],
  ['http://api-key@proxy:1', 'http://<secret>@proxy:1'],
  ['http://proxy:1', 'http://proxy:1'],
  ['none', 'none'],
])('a proxy at %s is shown as %s', (proxy, shown) => {
  const text = `accounts: [{ name: a, base_url: "https://a.b", token: t, proxy: "${proxy}" }]`;
  expect(read(text).shown).toMatchObject({ accounts: [{ token: '<secret>', proxy: shown }] });
});

test('a proxy of the environment is used unless the file says otherwise', () => {
  expect(account('token: t', fromEnvironment)?.proxy).toEqual(fromEnvironment);
  expect(account('token: t\nproxy: none', fromEnvironment)?.proxy).toBeUndefined();
  expect(account('token: t\nproxy: http://a:1', fromEnvironment)?.proxy?.url).toBe('http://a:1');
});

test.each([
  ['', { mode: 'lean' }],
  ['metrics: full', { mode: 'full' }],
  ['metrics: { mode: full, exclude: [uptime_teams] }', { mode: 'full', exclude: ['uptime_teams'] }],
  ['metrics: { include: [uptime_teams] }', { mode: 'lean', include: ['uptime_teams'] }],
] as const)('%j serves its families', (metrics, choice) => {
  const { served, shown } = read(
    `${metrics}\naccounts: [{ name: a, token: t, base_url: "https://a.b" }]`,
  );
  expect(served.equals(new ServedFamilies(choice))).toBe(true);
  expect(shown).toHaveProperty('accounts');
});

test('the file shows how metrics are served, labelled and logged', () => {
  const { serving, labels } = read(`
web: { listen_address: "127.0.0.1:9000", telemetry_path: /m, max_requests: 0 }
storage: { url: "postgres://u@db/uptime", password_file: secret, ca_file: /ca.pem }
log: { level: warn, format: json }
labels: { promote: [{ from: "team:*", as: owner_team }, { from: hostname }] }
accounts: [{ name: a, token: t, base_url: "https://a.b" }]`);
  expect(serving).toEqual({
    listenAddresses: ['127.0.0.1:9000'],
    telemetryPath: '/m',
    maxRequests: 0,
    storageUrl: 'postgres://u@db/uptime',
    storagePasswordFile: '/etc/uptime/secret',
    storageCaFile: '/ca.pem',
    logLevel: 'warn',
    logFormat: 'json',
  });
  expect(labels.labels.map(({ name }) => name)).toEqual(['owner_team', 'hostname']);
});

test('the directory of the store is relative to the file', () => {
  const { serving } = read(`
storage: { path: data }
accounts: [{ name: a, token: t, base_url: "https://a.b" }]`);
  expect(serving.storagePath).toBe('/etc/uptime/data');
});

describe('the filter', () => {
  const tags = (...names: string[]) => names.map((name) => ({ name, source: 'user' as const }));
  const kept = (lines: string, listed: { id: number; name: string; tags: string[] }) =>
    account(`token: t\nfilters: ${lines}`)?.filter?.({ ...listed, tags: tags(...listed.tags) });

  test.each([
    ['{ include: { ids: [7] } }', { id: 7, name: 'a', tags: [] }, true],
    ['{ include: { ids: [7] } }', { id: 8, name: 'a', tags: [] }, false],
    ['{ include: { ids: [7], names: ["shop-*"] } }', { id: 8, name: 'shop-1', tags: [] }, true],
    ['{ include: { tags: ["team:*"] } }', { id: 8, name: 'a', tags: ['x', 'team:web'] }, true],
    ['{ exclude: { tags: ["ignore"] } }', { id: 8, name: 'a', tags: ['x', 'ignore'] }, false],
    ['{ exclude: { tags: ["ignore"] } }', { id: 8, name: 'a', tags: ['ignored'] }, true],
    [
      '{ include: { ids: [7] }, exclude: { names: ["a*"] } }',
      { id: 7, name: 'ab', tags: [] },
      false,
    ],
  ])('%s keeps %j: %s', (lines, listed, expected) => {
    expect(kept(lines, listed)).toBe(expected);
  });
});

test('flapping is read in seconds', () => {
  const text = `
flapping: { outages: 2, within: 39m, up_for: 5m }
accounts: [{ name: a, token: t, base_url: "https://a.b" }]`;
  expect(read(text).flapping).toEqual({ outages: 2, withinSeconds: 2_340, upForSeconds: 300 });
});

test('a dataset can be configured if and only if something refreshes it', () => {
  const service = { capabilities: { has: () => true } };
  const refreshed = createRefreshes({ service, state: {}, isEnabled: () => true } as never).keys();
  expect(new Set(datasetNames)).toEqual(new Set(refreshed));
});

test('a mapping instead of a key is refused without a warning that repeats it', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  expect(() => account('token: {{ hunter2 }}')).toThrow('token: found a mapping');
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
