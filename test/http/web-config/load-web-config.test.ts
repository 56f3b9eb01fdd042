import { describe, expect, test } from 'vitest';
import { ListenError } from '../../../src/http/server/listen-address.ts';
import { parseWebConfig } from '../../../src/http/web-config/load-web-config.ts';

function problemOf(text: string): string {
  try {
    parseWebConfig(text, 'web.yml');
  } catch (error) {
    expect(error).toBeInstanceOf(ListenError);
    return (error as ListenError).message;
  }
  return 'none';
}

/** The example in the documentation of the exporter toolkit, with valid values. */
const whole = `
tls_server_config:
  cert_file: server.crt
  key_file: server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
  min_version: TLS12
  max_version: TLS13
  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256]
  prefer_server_cipher_suites: true
  curve_preferences: [CurveP256, X25519]
http_server_config:
  http2: false
  headers:
    Strict-Transport-Security: max-age=31536000
    X-Frame-Options: deny
basic_auth_users:
  alice: $2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze
  bob: $2y$10$hLqFl9jSjoAAy95Z/zw8Ye8wkdMBM8c5Bn1ptYqP/AXyV0.oy0S8m
`;

describe('a web configuration', () => {
  test('of the toolkit with all it can hold is read', () => {
    const config = parseWebConfig(whole, 'web.yml');

    expect(Object.keys(config.basic_auth_users ?? {})).toEqual(['alice', 'bob']);
    expect(config.tls_server_config).toMatchObject({ client_ca_file: 'ca.crt' });
  });

  test.each(['', '# nothing\n', '{}', 'tls_server_config:\nbasic_auth_users:\n'])(
    'that is empty sets nothing: %j',
    (text) => {
      const { tls_server_config: tls, basic_auth_users: users } = parseWebConfig(text, 'web.yml');

      expect(tls ?? undefined).toBeUndefined();
      expect(users ?? undefined).toBeUndefined();
    },
  );

  test('takes TLS 1.2 and no client certificate when nothing else is said', () => {
    const { tls_server_config: tls } = parseWebConfig(
      'tls_server_config: {cert_file: a, key_file: b}',
      'web.yml',
    );

    expect(tls).toMatchObject({
      client_auth_type: 'NoClientCert',
      min_version: 'TLS12',
      max_version: 'TLS13',
      prefer_server_cipher_suites: true,
    });
  });

  test.each([
    ['bogus: 1', 'web.yml:1:1: the file: unknown key "bogus"; allowed: tls_server_config, '],
    [
      'tls_server_config:\n  cert_file: a\n  key_file: b\n  cert_fil: c',
      'web.yml:4:3: tls_server_config: unknown key "cert_fil"; did you mean "cert_file"?',
    ],
    ['tls_server_config:\n  cert_file: a', 'web.yml:2:3: tls_server_config.key_file:'],
    [
      'tls_server_config:\n  cert_file: a\n  key_file: b\n  min_version: SSL30',
      'web.yml:4:16: tls_server_config.min_version: found a text; allowed: TLS10, TLS11, TLS12, TLS13',
    ],
    [
      'tls_server_config:\n  cert_file: a\n  key_file: b\n  min_version: TLS13\n  max_version: TLS12',
      'web.yml:4:16: tls_server_config.min_version: must not be above max_version, TLS12',
    ],
    [
      'tls_server_config:\n  cert_file: a\n  key_file: b\n  client_auth_type: RequireAndVerifyClientCert',
      'web.yml:4:21: tls_server_config.client_auth_type: requires client_ca_file',
    ],
    [
      'tls_server_config:\n  cert_file: a\n  key_file: b\n  client_ca_file: ca',
      'web.yml:4:19: tls_server_config.client_ca_file: has no effect without client_auth_type',
    ],
    [
      'tls_server_config:\n  cert_file: a\n  key_file: b\n  cipher_suites: [TLS_RSA_WITH_RC4_128_SHA]',
      'web.yml:4:19: tls_server_config.cipher_suites[0]: found a text; allowed: TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, ',
    ],
    [
      'http_server_config: {http2: true}',
      'web.yml:1:29: http_server_config.http2: found true; allowed: false, because the exporter serves HTTP/1.1 only',
    ],
    [
      'http_server_config:\n  headers:\n    X-Powered-By: us',
      'web.yml:3:5: http_server_config.headers: unknown key "X-Powered-By"',
    ],
    [
      'http_server_config:\n  headers:\n    Content-Security-Policy: "a\\nb"',
      'is not valid in an HTTP header',
    ],
    [
      'basic_auth_users:\n  alice: hunter2',
      'web.yml:2:10: basic_auth_users.alice: must be a bcrypt',
    ],
    ['basic_auth_users:\n  alice: 17', 'web.yml:2:10: basic_auth_users.alice: must be a bcrypt'],
    [
      'basic_auth_users:\n  "a:b": $2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze',
      'a user name is not empty and has no colon',
    ],
    ['a: 1\na: 2', 'web.yml:2:1: duplicate key'],
    ['a: [', 'web.yml:1:5: ] is missing here: a bracket is not closed'],
    ['a:\n\tb: 1', 'web.yml:2:1: indented with a tab; use spaces'],
    [
      'basic_auth_users: { alice:x }',
      'basic_auth_users.alice: a user name is not empty and has no colon',
    ],
    [
      '{tls_server_config:x}',
      'web.yml:1:2: the file: the key tls_server_config must end with a colon and a space',
    ],
    ['{h7}', 'web.yml:1:2: the file: unknown key; allowed: '],
    ['- a', 'web.yml:1:1: the file:'],
  ])('%j is refused where it is wrong', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  test('names every problem at once', () => {
    const text = 'bogus: 1\nbasic_auth_users:\n  a: x\n  b: y';

    expect(problemOf(text).split('\n')).toHaveLength(3);
  });

  test('repeats no value in an error', () => {
    const text = 'basic_auth_users:\n  alice: hunter2\ntls_server_config: hunter2';

    expect(problemOf(text)).not.toContain('hunter2');
  });

  test.each([
    'basic_auth_users: { alice:hunter2 }',
    'basic_auth_users: { hunter2 }',
    'tls_server_config: { key_file:hunter2 }',
    'tls_server_config: { hunter2 }',
    'tls_server_config=hunter2: 1',
    'a: {{ hunter2 }}',
  ])('repeats no secret that became a key: %s', (text) => {
    expect(problemOf(text)).not.toContain('hunter2');
  });
});
