import { describe, expect, test } from 'vitest';
import { accountFromEnvironment, type Environment } from '../../src/cli/environment.ts';

const files: Record<string, string> = { '/run/token': '  from-file\n', '/run/empty': '\n' };

function readFile(path: string): string {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  return text;
}

function read(env: Environment) {
  return accountFromEnvironment(env, readFile);
}

const UPTIME_API_BASE_URL = 'https://api.example.com';
const UPTIME_API_TOKEN = 'abc-123';

test('reads address and token, and calls the account "default"', () => {
  const account = read({ UPTIME_API_BASE_URL: `${UPTIME_API_BASE_URL}/`, UPTIME_API_TOKEN });
  expect(account).toMatchObject({ name: 'default', baseUrl: 'https://api.example.com' });
  expect(account.token.reveal()).toBe('abc-123');
});

test('reads the token from a file and the name of the account', () => {
  const account = read({
    UPTIME_API_BASE_URL,
    UPTIME_API_TOKEN_FILE: '/run/token',
    UPTIME_ACCOUNT: 'shop',
  });
  expect(account.token.reveal()).toBe('from-file');
  expect(account.name).toBe('shop');
});

test('without anything it names every variable and points to the demo', () => {
  expect(() => read({})).toThrow(
    [
      'The exporter does not know which account to watch:',
      '  - UPTIME_API_BASE_URL is not set (address of the monitoring service, such as https://api.example.com)',
      '  - neither UPTIME_API_TOKEN nor UPTIME_API_TOKEN_FILE is set (an API token with read access)',
      'No account at hand? Try it against a simulated one: npm run demo',
    ].join('\n'),
  );
});

describe('the address', () => {
  test.each(['http://127.0.0.1:8080', 'http://localhost:1', 'http://[::1]:8', 'https://a.b/c'])(
    '%s is accepted',
    (url) => {
      expect(read({ UPTIME_API_BASE_URL: url, UPTIME_API_TOKEN }).baseUrl).toBe(url);
    },
  );

  test.each([
    ['api.example.com', 'is not an address'],
    ['http://api.example.com', 'must begin with https://'],
    ['http://127.0.0.1.example.com', 'must begin with https://'],
    ['ftp://api.example.com', 'must begin with https://'],
    ['https://me:hunter2@api.example.com', 'must not hold credentials'],
    ['https://api.example.com/?a=1', 'must not hold a query'],
  ])('%s is refused: it %s, and no password is repeated', (url, message) => {
    const attempt = () => read({ UPTIME_API_BASE_URL: url, UPTIME_API_TOKEN });
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow('hunter2');
  });
});

describe('the token', () => {
  test.each([
    [{ UPTIME_API_TOKEN, UPTIME_API_TOKEN_FILE: '/run/token' }, 'not both'],
    [{ UPTIME_API_TOKEN_FILE: '/run/none' }, 'cannot read /run/none (ENOENT)'],
    [{ UPTIME_API_TOKEN_FILE: '/run/empty' }, 'the file /run/empty does not hold a token'],
    [{ UPTIME_API_TOKEN: 'two words' }, 'UPTIME_API_TOKEN does not hold a token'],
    [{ UPTIME_API_TOKEN: 'line\nfeed' }, 'UPTIME_API_TOKEN does not hold a token'],
    [{ UPTIME_API_TOKEN: '   ' }, 'neither UPTIME_API_TOKEN'],
  ])('%j is refused: %s', (env, message) => {
    const attempt = () => read({ UPTIME_API_BASE_URL, ...env });
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow('two words');
  });
});
