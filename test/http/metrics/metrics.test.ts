import { gzipSync } from 'node:zlib';
import request, { type Response } from 'supertest';
import { describe, expect, test, vi } from 'vitest';
import { exposed, expositions, testApp } from '../../support/http-app.ts';

const text = 'text/plain; version=0.0.4; charset=utf-8';
const openmetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const plain = { text: expositions.text.join(''), openmetrics: expositions.openmetrics.join('') };

describe('GET /metrics', () => {
  test('serves all chunks of the text format with exact headers', async () => {
    const reply = await request(testApp()).get('/metrics').set('Accept-Encoding', 'identity');

    expect(reply.status).toBe(200);
    expect(reply.text).toBe('# TYPE a gauge\na 1\n');
    expect(reply.headers).toMatchObject({
      'content-type': text,
      'content-length': '19',
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    for (const header of ['content-encoding', 'etag', 'x-powered-by', 'transfer-encoding']) {
      expect(reply.headers).not.toHaveProperty(header);
    }
  });

  test('serves OpenMetrics to who prefers it', async () => {
    const reply = await request(testApp())
      .get('/metrics')
      .set('Accept', 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5')
      .buffer(true)
      .parse(bytes);

    expect(reply.headers['content-type']).toBe(openmetrics);
    expect(String(reply.body)).toBe(plain.openmetrics);
  });

  test.each([
    ['gzip', true],
    ['GZIP', true],
    ['gzip, deflate, br', true],
    ['deflate, gzip;q=1.0, *;q=0.5', true],
    ['br;q=1, gzip;q=0.2', true],
    ['*', true],
    ['identity;q=0', false],
    ['identity;q=0, gzip', true],
    ['gzip;q=0.5, identity;q=0.4', true],
    ['gzip;q=0.4, identity;q=0.5', false],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['identity', false],
    ['deflate, br', false],
    ['', false],
    [';;,=', false],
  ])('Accept-Encoding %j: gzip %s', async (header, gzipped) => {
    const reply = await request(testApp()).get('/metrics').set('Accept-Encoding', header);

    expect(reply.headers['content-encoding']).toBe(gzipped ? 'gzip' : undefined);
    expect(reply.text).toBe(plain.text);
    expect(reply.headers.vary).toBe('Accept, Accept-Encoding');
  });

  test('says the length of what it sends, not of what it unpacks to', async () => {
    const reply = await request(testApp()).get('/metrics').set('Accept-Encoding', 'gzip');

    const length = gzipSync('# TYPE a gauge\n').byteLength + gzipSync('a 1\n').byteLength;
    expect(reply.headers['content-length']).toBe(String(length));
  });

  test.each([
    ['*/*', 'identity', text, undefined],
    ['application/openmetrics-text', 'gzip', openmetrics, 'gzip'],
  ])(
    'HEAD with %s and %s has the headers of GET and no body',
    async (accept, encoding, type, coded) => {
      const send = (method: 'get' | 'head') =>
        request(testApp())
          [method]('/metrics')
          .set('Accept', accept)
          .set('Accept-Encoding', encoding)
          .buffer(true)
          .parse(bytes);
      const [get, head] = [await send('get'), await send('head')];

      expect(head.status).toBe(200);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
      expect(head.headers['content-type']).toBe(type);
      expect(head.headers['content-encoding']).toBe(coded);
      expect(String(head.body ?? '')).not.toContain('gauge');
    },
  );

  test.each(['/custom/path', '/metrics:all', '/*', '/a(b)', '/a+b!', '/[x]'])(
    'is found literally at %s when it is put there',
    async (telemetryPath) => {
      const app = testApp({ telemetryPath });

      expect((await request(app).get(telemetryPath)).status).toBe(200);
      expect((await request(app).get(`${telemetryPath}x`)).status).toBe(404);
      expect((await request(app).get('/metrics')).status).toBe(404);
    },
  );

  test('takes the place of the status page at /', async () => {
    const reply = await request(testApp({ telemetryPath: '/' })).get('/');

    expect(reply.headers['content-type']).toBe(text);
  });

  test('answers a failing source with 500 and without a trace, and logs it once', async () => {
    const failure = new Error('the very secret reason');
    const logger = { error: vi.fn() };
    const app = testApp({ logger, metrics: { read: () => Promise.reject(failure) } });

    const reply = await request(app).get('/metrics');

    expect(reply.status).toBe(500);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.text).toBe('Internal error: the log of the exporter has the details.\n');
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(
      { error: failure, method: 'GET', path: '/metrics' },
      'request failed',
    );
  });

  test('gives the slot of a failed scrape back', async () => {
    let calls = 0;
    const read = () =>
      calls++ === 0
        ? Promise.reject(new Error('once'))
        : Promise.resolve(exposed([Buffer.from('a 1\n')]));
    const app = testApp({ maxRequests: 1, metrics: { read } });
    await request(app).get('/metrics');

    const reply = await request(app).get('/metrics').set('Accept-Encoding', 'identity');

    expect(reply.text).toBe('a 1\n');
  });
});

function bytes(reply: Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  reply.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  reply.on('end', () => done(null, Buffer.concat(chunks)));
}
