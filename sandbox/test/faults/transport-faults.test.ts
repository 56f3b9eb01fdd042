import { createGunzip, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { expect, test } from 'vitest';
import type { FaultName } from '../../src/faults/faults.ts';
import { bearer } from '../start-test-sandbox.ts';
import { checksPath, creditsPath, suffering } from '../suffering.ts';

test('reset-before-headers sends nothing', async () => {
  const { raw, sandbox } = await suffering('reset-before-headers');

  const reply = await raw();

  expect(reply).toMatchObject({ head: '', error: 'ECONNRESET' });
  expect(sandbox.journal.recent.map(({ status }) => status)).toEqual([undefined]);
});

test('reset-in-body sends the headers and half of the body', async () => {
  const { raw } = await suffering('reset-in-body');

  const reply = await raw();

  const length = Number(/Content-Length: (\d+)/.exec(reply.head)?.[1]);
  expect(reply.body.length).toBe(Math.floor(length / 2));
  // A reset that arrives together with the last bytes looks like the end of the stream.
  expect(reply.error).toBeOneOf([undefined, 'ECONNRESET']);
});

test('hang sends nothing until the sandbox is closed', async () => {
  const { raw, sandbox } = await suffering('hang');

  const reply = raw();
  await expect.poll(() => sandbox.journal.total).toBe(1);
  await sandbox.close();

  expect((await reply).head).toBe('');
});

test('drip sends a byte each second', async () => {
  const { sandbox, clock } = await suffering('drip');
  const response = await request(`${sandbox.url}${creditsPath}`, { headers: bearer });
  let text = '';
  response.body.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const length = Number(response.headers['content-length']);

  await expect.poll(() => text).toBe('{');
  await clock.advance(3000);
  await expect.poll(() => text).toBe('{"cr');
  await clock.advance(length * 1000);
  await expect.poll(() => text.length).toBe(length);

  expect(JSON.parse(text)).toHaveProperty('credits');
});

test('drip ends when the client goes away', async () => {
  const { sandbox, clock } = await suffering('drip');
  const response = await request(`${sandbox.url}${creditsPath}`, { headers: bearer });
  response.body.on('error', () => {});
  await expect.poll(() => clock.sleepers).toBe(1);

  response.body.destroy();

  await expect.poll(() => clock.sleepers).toBe(0);
});

test.each<[FaultName]>([['corrupt-gzip'], ['truncated-gzip']])(
  '%s cannot be unpacked',
  async (kind) => {
    const { raw } = await suffering(kind);

    const reply = await raw();

    expect(reply.head).toContain('HTTP/1.1 200 OK');
    expect(reply.head).toContain('Content-Encoding: gzip');
    expect([...reply.body.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect(() => gunzipSync(reply.body)).toThrow();
  },
);

test('gzip-bomb inflates to a gibibyte from about a megabyte', async () => {
  const { sandbox } = await suffering('gzip-bomb');
  const response = await request(`${sandbox.url}${checksPath}`, { headers: bearer });
  let packed = 0;
  let inflated = 0;
  response.body.on('data', (chunk: Buffer) => {
    packed += chunk.length;
  });

  for await (const chunk of response.body.pipe(createGunzip({ chunkSize: 2 ** 20 }))) {
    inflated += (chunk as Buffer).length;
  }

  expect(response.headers['content-encoding']).toBe('gzip');
  expect(packed).toBeLessThan(2 * 2 ** 20);
  expect(inflated).toBe(2 ** 30 + '{"padding":""}'.length);
});

test('gzip-bomb ends when the client goes away', async () => {
  const { sandbox } = await suffering('gzip-bomb');
  const response = await request(`${sandbox.url}${checksPath}`, { headers: bearer });
  response.body.on('error', () => {});

  response.body.destroy();
  sandbox.faults.clear();

  const next = await request(`${sandbox.url}${creditsPath}`, { headers: bearer });
  expect(next.statusCode).toBe(200);
  await next.body.dump();
});

test.each([checksPath, creditsPath])(
  'invalid-utf8 puts other bytes into JSON of %s',
  async (path) => {
    const { raw } = await suffering('invalid-utf8');

    const { body } = await raw(path);

    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow(TypeError);
    expect(() => JSON.parse(body.toString())).not.toThrow();
  },
);
