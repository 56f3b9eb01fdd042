import { describe, expect, test } from 'vitest';
import { EchoedSecrets } from '../../../src/api/http/redaction.ts';
import { Secret } from '../../../src/lib/secret.ts';

const token = 'sandbox-token/1234567890';

function concealed(json: string, secret = token): unknown {
  return new EchoedSecrets([new Secret(secret)]).parse(json);
}

describe('a secret in a response', () => {
  test.each([
    ['as it is', `{"name":"my ${token}!"}`],
    ['with escaped slashes', `{"name":"my ${token.replace('/', '\\/')}!"}`],
    ['with escaped letters', `{"name":"my \\u0073andbox-token/1234567890!"}`],
    ['in base64', `{"name":"my ${Buffer.from(token).toString('base64')}!"}`],
  ])('%s is not read', (_form, json) => {
    expect(concealed(json)).toEqual({ name: 'my <secret>!' });
  });

  test.each([
    ['pässwörter1', 'p\\u00e4ssw\\u00F6rter1'],
    ['密码密码密码密码', '\\u5bc6码密码密码密码'],
    ['tab\there it is', 'tab\\u0009here it is'],
  ])('%s with other characters than those of ASCII escaped is not read', (secret, escaped) => {
    expect(concealed(`{"name":"my ${escaped}!"}`, secret)).toEqual({ name: 'my <secret>!' });
  });

  test('is removed at any depth, and nothing else is changed', () => {
    const json = `[{"a":{"b":["${token}",1,null,true,"x"]}},"${token}"]`;

    expect(concealed(json)).toEqual([{ a: { b: ['<secret>', 1, null, true, 'x'] } }, '<secret>']);
  });

  test('is removed from a response that is only a string', () => {
    expect(concealed(`"${token}"`)).toBe('<secret>');
  });

  test('is removed however deeply the response is nested', () => {
    const depth = 100_000;
    const json = `${'['.repeat(depth)}"${token}"${']'.repeat(depth)}`;

    let value = concealed(json);
    while (Array.isArray(value)) value = value[0];
    expect(value).toBe('<secret>');
  });

  test('that is short enough to be a word of the service is left', () => {
    expect(concealed('{"status":"up"}', 'up')).toEqual({ status: 'up' });
  });
});

test.each(['{"name":"Homepage"}', '{"name":"Sm\\u00f6rg\\u00e5sbord \\u5bc6"}'])(
  'the response %s without the secret is read as it is',
  (json) => {
    expect(concealed(json)).toEqual(JSON.parse(json));
  },
);
