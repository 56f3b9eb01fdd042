import { describe, expect, test } from 'vitest';
import { accountFromEnvironment, type Environment } from '../../../src/config/environment.ts';

const files: Record<string, string> = {
  '/run/token': '  from-file\n',
  '/run/empty': '\n',
  '/run/password': 'päss: word\n',
};

function readText(path: string): string {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  return text;
}

function read(env: Environment) {
  return accountFromEnvironment(env, { readText, resolvePath: (path) => path });
}

const UPTIME_API_BASE_URL = 'https://api.example.com';
const UPTIME_API_TOKEN = 'abc-123';

test('reads address and token, and calls the account "default"', () => {
  const account = read({ UPTIME_API_BASE_URL: `${UPTIME_API_BASE_URL}/`, UPTIME_API_TOKEN });
  expect(account).toMatchObject({
    name: 'default',
    baseUrl: 'https://api.example.com',
    version: '3.1',
  });
  expect(account.authentication.headers()).toEqual({ authorization: 'Bearer abc-123' });
});

test('reads the token from a file and the name of the account', () => {
  const account = read({
    UPTIME_API_BASE_URL,
    UPTIME_API_TOKEN_FILE: '/run/token',
    UPTIME_ACCOUNT: 'shop',
  });
  expect(account.authentication.headers()).toEqual({ authorization: 'Bearer from-file' });
  expect(account.name).toBe('shop');
});

test('reaches the service through the proxy of the environment', () => {
  const env = { UPTIME_API_BASE_URL, UPTIME_API_TOKEN };
  expect(read({ ...env, HTTPS_PROXY: 'http://proxy:3128' }).proxy?.url).toBe('http://proxy:3128');
  expect(read(env).proxy).toBeUndefined();
});

test('without anything it names every variable and points to the demo', () => {
  expect(() => read({})).toThrow(
    [
      'No account is configured:',
      '  - UPTIME_API_BASE_URL is not set: address of the monitoring service, such as https://api.example.com',
      '  - neither UPTIME_API_TOKEN nor UPTIME_API_TOKEN_FILE is set: API token with read access (API 3.1)',
      'Several accounts, or more settings: --config.file FILE (see uptime-exporter serve --help).',
      'No account at hand? Try a simulated one: uptime-exporter demo (in a clone: npm run demo)',
    ].join('\n'),
  );
});

describe('an account of an older version', () => {
  const legacy = {
    UPTIME_API_BASE_URL,
    UPTIME_API_VERSION: '2.1',
    UPTIME_API_EMAIL: 'ops@example.com',
    UPTIME_API_PASSWORD_FILE: '/run/password',
    UPTIME_API_APP_KEY: 'key-1',
  };

  test('has the credentials of a user and an application key', () => {
    const { version, authentication } = read({ ...legacy, UPTIME_API_ACCOUNT_EMAIL: 'a@b.c' });
    expect(version).toBe('2.1');
    expect(authentication.headers()).toEqual({
      authorization: `Basic ${Buffer.from('ops@example.com:päss: word').toString('base64')}`,
      'app-key': 'key-1',
      'account-email': 'a@b.c',
    });
  });

  test('without them it names each', () => {
    expect(() => read({ UPTIME_API_BASE_URL, UPTIME_API_VERSION: '2.0' })).toThrow(
      /UPTIME_API_EMAIL is not set[\s\S]*neither UPTIME_API_PASSWORD nor[\s\S]*neither UPTIME_API_APP_KEY nor/,
    );
  });

  test('an e-mail address with a colon is refused, as the colon ends it in the header', () => {
    expect(() => read({ ...legacy, UPTIME_API_EMAIL: 'a:b@example.com' })).toThrow(
      'UPTIME_API_EMAIL: found a text; allowed: an e-mail address',
    );
  });

  test('a token left over is refused', () => {
    expect(() =>
      read({ ...legacy, UPTIME_API_TOKEN, UPTIME_API_TOKEN_FILE: '/run/token' }),
    ).toThrow(
      /UPTIME_API_TOKEN: only for API 3\.1, but the account has version 2\.1[\s\S]*UPTIME_API_TOKEN_FILE: only for API 3\.1/,
    );
  });

  test('what is left of its credentials is refused for 3.1', () => {
    const { UPTIME_API_VERSION, ...credentials } = legacy;
    const attempt = () => read({ ...credentials, UPTIME_API_TOKEN });
    for (const name of ['UPTIME_API_EMAIL', 'UPTIME_API_PASSWORD_FILE', 'UPTIME_API_APP_KEY']) {
      expect(attempt).toThrow(`${name}: only for API 2.x, but the account has version 3.1`);
    }
    expect(UPTIME_API_VERSION).toBe('2.1');
  });

  test('a version that there is not is refused', () => {
    expect(() => read({ ...legacy, UPTIME_API_VERSION: '3.0' })).toThrow(
      'UPTIME_API_VERSION: found "3.0"; allowed: 3.1, 2.1, 2.0',
    );
  });
});

test.each([
  ['a\nb', 'found a text with a line break or another control character'],
  ['a'.repeat(201), 'found a text'],
])('the name of an account is one line of text: %j', (name, found) => {
  expect(() => read({ UPTIME_API_BASE_URL, UPTIME_API_TOKEN, UPTIME_ACCOUNT: name })).toThrow(
    `UPTIME_ACCOUNT: ${found}; allowed: one line of text`,
  );
});

test.each([{ UPTIME_API_BASE_URL }, { UPTIME_API_BASE_URL, UPTIME_API_TOKEN_FILE: '/run/empty' }])(
  'with %j, it is an account that something is wrong with, and nothing points to the demo',
  (env) => {
    expect(() => read(env)).toThrow(
      /^The environment variables do not describe a valid account:\n/,
    );
    expect(() => read(env)).not.toThrow('demo');
  },
);

describe('the address', () => {
  test.each([
    'http://127.0.0.1:8080',
    'http://localhost:1',
    'http://[::1]:8',
    'https://a.b/c',
    'https://a.b/api-gate',
    'https://a.b/api/uptime',
  ])('%s is accepted', (url) => {
    expect(read({ UPTIME_API_BASE_URL: url, UPTIME_API_TOKEN }).baseUrl).toBe(url);
  });

  test.each([
    ['api.example.com', 'is not an address'],
    ['http://api.example.com', 'must begin with https://'],
    ['http://127.0.0.1.example.com', 'must begin with https://'],
    ['ftp://api.example.com', 'must begin with https://'],
    ['https://me:hunter2@api.example.com', 'must not contain a user or password'],
    ['https://api.example.com/api', 'must end before /api'],
    ['https://api.example.com/api/3.1/', 'must end before /api'],
    ['https://example.com/uptime/API/2.1/checks', 'must end before /api'],
    ['https://api.example.com/?a=1', 'must not contain a query'],
  ])('%s is refused: it %s, and no password is repeated', (url, message) => {
    const attempt = () => read({ UPTIME_API_BASE_URL: url, UPTIME_API_TOKEN });
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow('hunter2');
  });
});

describe('the token', () => {
  test.each([
    [{ UPTIME_API_TOKEN, UPTIME_API_TOKEN_FILE: '/run/token' }, 'not both'],
    [
      { UPTIME_API_TOKEN_FILE: '/run/none' },
      'UPTIME_API_TOKEN_FILE: cannot read /run/none: there is no such file; create it, or correct the path',
    ],
    [
      { UPTIME_API_TOKEN_FILE: '/run/empty' },
      'UPTIME_API_TOKEN_FILE: the file is empty; it must hold a token',
    ],
    [{ UPTIME_API_TOKEN_FILE: 'tok-two words' }, 'UPTIME_API_TOKEN_FILE: cannot read the file'],
    [{ UPTIME_API_VERSION: 'two words', UPTIME_API_TOKEN }, 'UPTIME_API_VERSION: found a text'],
    [{ UPTIME_API_TOKEN: 'two words' }, 'UPTIME_API_TOKEN: does not hold a token'],
    [{ UPTIME_API_TOKEN: 'line\nfeed' }, 'UPTIME_API_TOKEN: does not hold a token'],
    [{ UPTIME_API_TOKEN: '   ' }, 'neither UPTIME_API_TOKEN'],
  ])('%j is refused: %s', (env, message) => {
    const attempt = () => read({ UPTIME_API_BASE_URL, ...env });
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow('two words');
  });
});

describe('an unknown variable that begins with UPTIME_', () => {
  const account = { UPTIME_API_BASE_URL, UPTIME_API_TOKEN };

  test.each([
    [
      'UPTIME_API_TOKEN_FLIE',
      'unknown variable UPTIME_API_TOKEN_FLIE; did you mean "UPTIME_API_TOKEN_FILE"?',
    ],
    ['UPTIME_BASE_URL', 'unknown variable UPTIME_BASE_URL; did you mean "UPTIME_API_BASE_URL"?'],
    ['UPTIME_HOST', 'unknown variable UPTIME_HOST'],
    ['UPTIME_SERVICE', 'unknown variable UPTIME_SERVICE'],
    ['UPTIME_API_TOKEN_PORTS', 'unknown variable UPTIME_API_TOKEN_PORTS'],
    ['UPTIME_SOMETHING_ELSE_ALTOGETHER', 'unknown variable UPTIME_SOMETHING_ELSE_ALTOGETHER'],
  ])('%s is refused', (name, message) => {
    const attempt = () => read({ ...account, [name]: 'hunter2' });
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow('hunter2');
  });

  const services = ['UPTIME', 'UPTIME_EXPORTER', 'UPTIME_API', 'UPTIME_API_TOKEN', 'UPTIME_0'];
  const ofService = [
    'SERVICE_HOST',
    'SERVICE_PORT',
    'SERVICE_PORT_METRICS',
    'PORT',
    'PORT_9158_TCP',
    'PORT_9158_TCP_PROTO',
    'PORT_9158_TCP_PORT',
    'PORT_9158_TCP_ADDR',
  ];
  test.each([
    'UPTIME_EXPORTER_REVISION',
    ...services.flatMap((service) => ofService.map((name) => `${service}_${name}`)),
  ])('%s is not one: the image or Kubernetes sets it', (name) => {
    expect(read({ ...account, [name]: 'x' }).name).toBe('default');
  });
});
