import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import { Authority, type Issued } from '../../support/certificates.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { missing } from '../../support/tools.ts';
import { TransportBench } from '../../support/transport-bench.ts';

async function listening(server: Server | ReturnType<typeof createHttpsServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function secureService(certificate: Issued = selfSigned): Promise<number> {
  return listening(createHttpsServer(certificate, (_request, response) => response.end('{"a":1}')));
}

interface Tunnel {
  readonly url: string;
  /** The requested targets and credentials. */
  readonly asked: { readonly target: string | undefined; readonly credentials: unknown }[];
}

/** A proxy; with a certificate it is reached over TLS. */
async function tunnel(certificate?: Issued): Promise<Tunnel> {
  const asked: Tunnel['asked'] = [];
  const server = certificate === undefined ? createHttpServer() : createHttpsServer(certificate);
  server.on('connect', ({ url, headers }, client) => {
    asked.push({ target: url, credentials: headers['proxy-authorization'] });
    const [host = '', port = ''] = (url ?? '').split(':');
    const service = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      service.pipe(client).pipe(service);
    });
    for (const socket of [client, service]) {
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
    }
  });
  return { url: `127.0.0.1:${await listening(server)}`, asked };
}

test('a service whose authority is unknown is refused, and trusted once its certificate is given', async () => {
  const baseUrl = `https://127.0.0.1:${await secureService()}`;

  await expect(new TransportBench({ baseUrl }).get()).rejects.toMatchObject({ reason: 'tls' });
  expect(await new TransportBench({ baseUrl, caCertificates: selfSigned.cert }).get()).toEqual({
    a: 1,
  });
});

describe.skipIf(missing('openssl'))('a certificate of the authority for another host', () => {
  async function issued() {
    const authority = new Authority(await temporaryFolder());
    return {
      caCertificates: authority.certificate,
      good: authority.issue('good', 1, 'IP:127.0.0.1'),
      other: authority.issue('other', 1, 'DNS:other.example,IP:127.0.0.2'),
    };
  }
  const refused = { reason: 'tls', message: expect.stringContaining('does not match certificate') };

  test('is refused from the service', async () => {
    const { caCertificates, good, other } = await issued();
    const ask = async (certificate: Issued) =>
      new TransportBench({
        baseUrl: `https://127.0.0.1:${await secureService(certificate)}`,
        caCertificates,
      }).get();

    await expect(ask(other)).rejects.toMatchObject(refused);
    expect(await ask(good)).toEqual({ a: 1 });
  });

  test.each([
    ['the service behind a proxy', 'good', 'other'],
    ['a proxy, which then learns no password', 'other', 'good'],
  ] as const)('is refused from %s', async (_, ofProxy, ofService) => {
    const { caCertificates, ...certificates } = await issued();
    const port = await secureService(certificates[ofService]);
    const proxy = await tunnel(certificates[ofProxy]);
    const url = `https://me:password@${proxy.url}`;
    const baseUrl = `https://127.0.0.1:${port}`;

    const asking = new TransportBench({
      baseUrl,
      caCertificates,
      proxy: { url, except: '' },
    }).get();

    await expect(asking).rejects.toMatchObject(refused);
    expect(proxy.asked).toHaveLength(ofProxy === 'good' ? 1 : 0);
  });
});

test.each([
  ['me:pass%20word', 'me:pass word'],
  ['access%20key', 'access key:'],
])(
  'everything goes through the proxy, with its credentials and without those of the account: %s',
  async (written, sent) => {
    const target = `127.0.0.1:${await secureService()}`;
    const proxy = await tunnel();
    const made = new TransportBench({
      baseUrl: `https://${target}`,
      caCertificates: selfSigned.cert,
      proxy: { url: `http://${written}@${proxy.url}`, except: '' },
    });

    expect(await made.get()).toEqual({ a: 1 });

    const credentials = `Basic ${btoa(sent)}`;
    expect(proxy.asked).toEqual([{ target, credentials }]);
  },
);

test('hosts that are excepted are asked without the proxy', async () => {
  const baseUrl = `https://127.0.0.1:${await secureService()}`;
  const proxy = await tunnel();
  const made = new TransportBench({
    baseUrl,
    caCertificates: selfSigned.cert,
    proxy: { url: `http://${proxy.url}`, except: 'example.com,127.0.0.1' },
  });

  expect(await made.get()).toEqual({ a: 1 });

  expect(proxy.asked).toEqual([]);
});

test('a proxy that cannot be reached is no service', async () => {
  const baseUrl = `https://127.0.0.1:${await secureService()}`;
  const closed = createHttpServer();
  const port = await listening(closed);
  closed.close();
  const made = new TransportBench({
    baseUrl,
    proxy: { url: `http://me:password@127.0.0.1:${port}`, except: '' },
  });

  await expect(made.get()).rejects.toMatchObject({
    reason: 'connection',
    message: expect.stringContaining(`(through the proxy http://127.0.0.1:${port})`),
  });
});

describe('a request whose connection is never made', () => {
  async function silentServer() {
    const clients: Socket[] = [];
    const server = createServer((client) => void clients.push(client.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const client of clients) client.destroy();
      server.close();
    });
    const connected = async () => {
      while (clients.length === 0) await new Promise(setImmediate);
      return clients[0] as Socket;
    };
    return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, connected };
  }
  const timeouts = { connect: 600_000 };

  test.each<[string, (host: string) => TransportBench]>([
    ['the service', (host) => new TransportBench({ baseUrl: `https://${host}`, timeouts })],
    [
      'a proxy',
      (host) => {
        const proxy = { url: `https://${host}`, except: '' };
        return new TransportBench({ baseUrl: 'https://service.example', proxy, timeouts });
      },
    ],
  ])(
    'to %s ends when it is aborted, and the connection when the client is closed',
    async (_, make) => {
      const { host, connected } = await silentServer();
      const bench = make(host);
      const caller = new AbortController();
      const asking = bench.get(caller.signal);
      const client = await connected();

      caller.abort(new Error('stopping'));

      await expect(asking).rejects.toMatchObject({ reason: 'aborted' });
      expect(bench.releases).toEqual([[{}]]);
      const closed = once(client.resume(), 'close');
      await bench.transport.close();
      await closed;
    },
  );
});

describe('a proxy that answers no request for a tunnel', () => {
  /** Does this with each connection; counts them. */
  async function brokenProxy(treat: (client: Socket) => void) {
    let connections = 0;
    const clients = new Set<Socket>();
    const server = createServer((client) => {
      connections++;
      clients.add(client.on('error', () => {}));
      treat(client);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const client of clients) client.destroy();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bench = new TransportBench({
      baseUrl: 'https://service.example',
      proxy: { url, except: '' },
      timeouts: { connect: 1_000 },
    });
    return { bench, url, connections: () => connections };
  }

  test.each<[string, (client: Socket) => void]>([
    ['at once', (client) => client.end()],
    ['when it is asked', (client) => client.once('data', () => client.end())],
    ['within its answer', (client) => client.once('data', () => client.end('HTTP/1.1 200 O'))],
  ])('and closes the connection %s is asked once, and the request fails', async (_, treat) => {
    const { bench, url, connections } = await brokenProxy(treat);

    await expect(bench.get()).rejects.toMatchObject({
      reason: 'connection',
      message: expect.stringContaining(`(through the proxy ${url})`),
    });
    expect(connections()).toBe(1);
  });

  test('fails a request after the timeout of a connection', async () => {
    const { bench, url, connections } = await brokenProxy(() => {});

    await expect(bench.get()).rejects.toMatchObject({
      reason: 'timeout',
      message: `test: the proxy did not answer CONNECT within timeouts.connect of 1 s (through the proxy ${url})`,
    });
    expect(connections()).toBe(1);
  });
});
