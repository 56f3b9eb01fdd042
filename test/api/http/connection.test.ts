import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../support/self-signed.ts';
import { TransportBench } from '../../support/transport-bench.ts';

async function listening(server: Server | ReturnType<typeof createHttpsServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function secureService(): Promise<number> {
  return listening(createHttpsServer(selfSigned, (_request, response) => response.end('{"a":1}')));
}

interface Tunnel {
  readonly url: string;
  /** What it was asked to connect to, and with which credentials. */
  readonly asked: { readonly target: string | undefined; readonly credentials: unknown }[];
}

async function tunnel(): Promise<Tunnel> {
  const asked: Tunnel['asked'] = [];
  const server = createHttpServer();
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

function bench(options: ConstructorParameters<typeof TransportBench>[0]): TransportBench {
  const made = new TransportBench(options);
  onTestFinished(() => made.transport.close());
  return made;
}

test('a service whose authority is unknown is refused, and trusted once its certificate is given', async () => {
  const baseUrl = `https://127.0.0.1:${await secureService()}`;

  await expect(bench({ baseUrl }).get()).rejects.toMatchObject({ reason: 'tls' });
  expect(await bench({ baseUrl, caCertificates: selfSigned.cert }).get()).toEqual({ a: 1 });
});

test('everything goes through the proxy, with its credentials and without those of the account', async () => {
  const target = `127.0.0.1:${await secureService()}`;
  const proxy = await tunnel();
  const made = bench({
    baseUrl: `https://${target}`,
    caCertificates: selfSigned.cert,
    proxy: { url: `http://me:pass%20word@${proxy.url}`, except: '' },
  });

  expect(await made.get()).toEqual({ a: 1 });

  const credentials = `Basic ${btoa('me:pass word')}`;
  expect(proxy.asked).toEqual([{ target, credentials }]);
});

test('hosts that are excepted are asked without the proxy', async () => {
  const baseUrl = `https://127.0.0.1:${await secureService()}`;
  const proxy = await tunnel();
  const made = bench({
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
  const made = bench({ baseUrl, proxy: { url: `http://127.0.0.1:${port}`, except: '' } });

  await expect(made.get()).rejects.toMatchObject({ reason: 'connection' });
});
