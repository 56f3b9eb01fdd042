import { mkdtempSync, rmSync } from 'node:fs';
import { get, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/server/listen.ts';
import { ListenError } from '../../../src/http/server/listen-address.ts';
import { WebSecurity } from '../../../src/http/web-config/web-security.ts';
import { Authority, type Issued } from '../../support/certificates.ts';
import { testApp } from '../../support/http-app.ts';
import { missing } from '../../support/tools.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { FilesInMemory } from '../../support/web-files.ts';

interface Answer {
  readonly status: number | undefined;
  readonly subject: string | undefined;
}

/** One request over a separate connection. Rejects without a response. */
async function ask(url: string, options: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(`${url}/metrics`, { agent: false, ...options }, (response) => {
      const subject = (response.socket as TLSSocket).getPeerCertificate().subject?.CN;
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode, ...{ subject: `${subject}` } }));
    }).once('error', reject);
  });
}

describe.skipIf(missing('openssl'))('over TLS', () => {
  let folder: string;
  let authority: Authority;
  let stranger: Authority;
  let server: Issued;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'uptime-tls-'));
    authority = new Authority(folder);
    stranger = new Authority(folder, 'stranger');
    server = authority.issue('server');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  async function start(extra = '', { cert, key } = server) {
    const files = new FilesInMemory();
    files.put('/etc/tls/server.pem', cert);
    files.put('/etc/tls/server.key', key);
    files.put('/etc/tls/ca.pem', authority.certificate);
    const yaml = `tls_server_config:\n  cert_file: tls/server.pem\n  key_file: tls/server.key\n${extra}`;
    files.put('/etc/web.yml', yaml);
    const errors: object[] = [];
    const told: string[] = [];
    const log = {
      info: (_facts: object, message: string) => told.push(message),
      error: (facts: object) => errors.push(facts),
    };
    const security = new WebSecurity({ path: '/etc/web.yml', files, log });
    const clock = new VirtualClock();
    const running = await listen(testApp({ clock, security }), '127.0.0.1:0', clock, { security });
    onTestFinished(() => running.close(0));
    return { url: running.url, files, errors, told, yaml, running };
  }

  const trusting = () => ({ ca: authority.certificate });

  test('the metrics are served', async () => {
    const { url } = await start();

    expect(url).toMatch(/^https:/);
    expect(await ask(url, trusting())).toEqual({ status: 200, subject: 'server' });
  });

  test('plain HTTP gets no response', async () => {
    const { url } = await start();

    await expect(fetch(url.replace('https', 'http'))).rejects.toThrow();
  });

  test.each([
    ['TLSv1.3', '  max_version: TLS12\n'],
    ['TLSv1.2', '  min_version: TLS13\n'],
  ] as const)('%s is refused when the file does not allow it', async (version, extra) => {
    const { url } = await start(extra);
    const options = { ...trusting(), minVersion: version, maxVersion: version };

    await expect(ask(url, options)).rejects.toThrow(/protocol version|EPROTO|alert/i);
  });

  test('the cipher suite is one that the file names', async () => {
    const { url } = await start(
      '  max_version: TLS12\n  cipher_suites: [TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256]\n',
    );
    const socket = connect({ ...trusting(), port: Number(new URL(url).port), host: '127.0.0.1' });
    await new Promise((resolve) => socket.once('secureConnect', resolve));

    expect(socket.getCipher().name).toBe('ECDHE-ECDSA-CHACHA20-POLY1305');
    socket.destroy();
  });

  test('a list of suites of TLS 1.2 leaves TLS 1.3 alone', async () => {
    const { url } = await start(
      '  cipher_suites: [TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256]\n',
    );

    expect((await ask(url, { ...trusting(), minVersion: 'TLSv1.3' })).status).toBe(200);
  });

  test('a certificate that has expired is what the client sees', async () => {
    const { url } = await start('', authority.issue('expired', -1));

    await expect(ask(url, trusting())).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  });

  describe('client certificates', () => {
    const verifying = (type: string) =>
      `  client_auth_type: ${type}\n  client_ca_file: tls/ca.pem\n`;

    test.each([
      ['RequireAndVerifyClientCert', { none: false, good: true, foreign: false, expired: false }],
      ['VerifyClientCertIfGiven', { none: true, good: true, foreign: false, expired: false }],
      ['RequireAnyClientCert', { none: false, good: true, foreign: true, expired: true }],
      ['RequireClientCert', { none: false, good: true, foreign: true, expired: true }],
      ['RequestClientCert', { none: true, good: true, foreign: true, expired: true }],
    ])('%s: who is let in', async (type, expected) => {
      const { url } = await start(verifying(type));
      const clients = {
        none: {},
        good: authority.issue('client'),
        foreign: stranger.issue('foreign'),
        expired: authority.issue('late', -1),
      };
      const seen: Record<string, boolean> = {};
      for (const [name, client] of Object.entries(clients)) {
        seen[name] = await ask(url, { ...trusting(), ...client }).then(
          ({ status }) => status === 200,
          () => false,
        );
      }

      expect(seen).toEqual(expected);
    });

    test('an authority that is replaced shuts out those of the previous one', async () => {
      const { url, files } = await start(verifying('RequireAndVerifyClientCert'));
      const client = { ...trusting(), ...authority.issue('client') };
      const other = { ...trusting(), ...stranger.issue('foreign') };
      expect((await ask(url, client)).status).toBe(200);

      files.put('/etc/tls/ca.pem', stranger.certificate);

      await expect(ask(url, client)).rejects.toThrow();
      expect((await ask(url, other)).status).toBe(200);
    });
  });

  describe('a certificate replaced while running', () => {
    test('is that of the next connection', async () => {
      const { url, files } = await start();
      const next = authority.issue('renewed');
      expect((await ask(url, trusting())).subject).toBe('server');

      files.put('/etc/tls/server.pem', next.cert);
      files.put('/etc/tls/server.key', next.key);

      expect((await ask(url, trusting())).subject).toBe('renewed');
    });

    test('is not used before its key is there too', async () => {
      const { url, files, errors } = await start();
      const next = authority.issue('renewed');

      files.put('/etc/tls/server.pem', next.cert);

      expect((await ask(url, trusting())).subject).toBe('server');
      expect(errors).toEqual([
        {
          file: '/etc/web.yml',
          error: expect.stringContaining('server.key does not belong to the certificate'),
        },
      ]);
      files.put('/etc/tls/server.key', next.key);
      expect((await ask(url, trusting())).subject).toBe('renewed');
    });

    test('is used as soon as a file is there that was named before it was', async () => {
      const { url, files, yaml, errors, told } = await start();
      const next = authority.issue('renewed');
      files.put('/etc/web.yml', yaml.replaceAll('tls/server.', 'tls/next.'));
      expect((await ask(url, trusting())).subject).toBe('server');
      expect((await ask(url, trusting())).subject).toBe('server');

      files.put('/etc/tls/next.pem', next.cert);
      expect((await ask(url, trusting())).subject).toBe('server');
      files.put('/etc/tls/next.key', next.key);
      expect((await ask(url, trusting())).subject).toBe('renewed');
      expect((await ask(url, trusting())).subject).toBe('renewed');

      expect(errors).toEqual(
        ['pem', 'key'].map((ending) => ({
          file: '/etc/web.yml',
          error: `cannot read /etc/tls/next.${ending}: there is no such file; create it, or correct the path`,
        })),
      );
      expect(told).toEqual(['web configuration reloaded']);
    });
  });

  test('switching TLS off needs a restart, and reports it', async () => {
    const { url, files, errors } = await start();

    files.put('/etc/web.yml', '{}');

    expect((await ask(url, trusting())).status).toBe(200);
    expect(JSON.stringify(errors)).toContain('needs a restart');
  });

  test('closing ends connections in the handshake, idle ones, and those being answered', async () => {
    const { url, running } = await start();
    const port = Number(new URL(url).port);
    const { connect: connectPlain } = await import('node:net');
    const handshaking = connectPlain(port, '127.0.0.1');
    const idle = connect({ ...trusting(), port, host: '127.0.0.1' });
    await Promise.all([
      new Promise((resolve) => handshaking.once('connect', resolve)),
      new Promise((resolve) => idle.once('secureConnect', resolve)),
    ]);
    const gone = [handshaking, idle].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve).on('error', () => {})),
    );
    expect((await ask(url, trusting())).status).toBe(200);

    await running.close(5_000);

    await Promise.all(gone);
  });

  test.each([
    [
      'no such file',
      'cert_file: missing.pem, key_file: tls/server.key',
      /cannot read .*missing.pem: there is no such file/,
    ],
    [
      'no certificate',
      'cert_file: web.yml, key_file: tls/server.key',
      /web.yml holds no PEM certificate/,
    ],
  ])('%s is an error that names it', (_name, files, message) => {
    const memory = new FilesInMemory();
    memory.put('/etc/web.yml', `tls_server_config: {${files}}`);
    memory.put('/etc/tls/server.key', server.key);
    const log = { info: () => undefined, error: () => undefined };
    const open = () => new WebSecurity({ path: '/etc/web.yml', files: memory, log });

    expect(open).toThrow(ListenError);
    expect(open).toThrow(message);
  });
});
