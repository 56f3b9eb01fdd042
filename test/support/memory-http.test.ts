import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { faultKinds } from '../../sandbox/src/faults/faults.ts';
import { createSandbox } from '../../sandbox/src/sandbox.ts';
import { listenOn } from '../../sandbox/src/server/listen.ts';
import { MemoryDispatcher } from './memory-http.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('a request in memory', () => {
  test.each(['gzip', 'identity'])(
    'gets the %s response that it gets over a connection',
    async (encoding) => {
      const clock = new VirtualClock();
      const sandbox = createSandbox({ clock, limitsClock: clock, token: 'secret', checks: 300 });
      const overNetwork = await listenOn(sandbox.app, '127.0.0.1', 0);
      const headers = { authorization: 'Bearer secret', 'accept-encoding': encoding };
      const ask = async (url: string, dispatcher?: MemoryDispatcher) => {
        const response = await request(`${url}/api/3.1/checks?include_tags=true`, {
          headers,
          ...(dispatcher !== undefined && { dispatcher }),
        });
        const { connection, 'keep-alive': _, ...rest } = response.headers;
        // Each request lowers what is left of the limits.
        const others = Object.entries(rest).filter(([name]) => !name.startsWith('req-limit'));
        return [response.statusCode, others, Buffer.from(await response.body.arrayBuffer())];
      };
      expect(await ask('http://service', new MemoryDispatcher(sandbox.app))).toEqual(
        await ask(overNetwork.url),
      );
      await overNetwork.close();
    },
  );

  test('has a body', async () => {
    const clock = new VirtualClock();
    const sandbox = createSandbox({ clock, limitsClock: clock, token: 'secret', checks: 3 });
    const id = sandbox.world.checks[0]?.id ?? 0;
    const { statusCode, body } = await request(`http://service/api/3.1/checks/${id}`, {
      dispatcher: new MemoryDispatcher(sandbox.app),
      method: 'PUT',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Another' }),
    });
    expect([statusCode, await body.json()]).toEqual([200, expect.anything()]);
    expect(sandbox.world.check(id)?.name).toBe('Another');
  });

  test.each(['hang', 'drip'] as const)(
    'ends for the service when it is aborted: %s',
    async (kind) => {
      const clock = new VirtualClock();
      const sandbox = createSandbox({ clock, limitsClock: clock, token: 'secret', checks: 3 });
      sandbox.faults.inject({ kind });
      const aborted = new AbortController();
      const response = request('http://service/api/3.1/checks', {
        dispatcher: new MemoryDispatcher(sandbox.app),
        headers: { authorization: 'Bearer secret' },
        signal: aborted.signal,
      }).then(({ body }) => body.text());
      const failed = expect(response).rejects.toThrow('no patience');
      await clock.advance(0);
      expect(clock.sleepers).toBe(1);
      aborted.abort(new Error('no patience'));
      await failed;
      await clock.advance(0);
      expect(clock.sleepers).toBe(0);
    },
  );

  test('can be reset by the service', async () => {
    const clock = new VirtualClock();
    const sandbox = createSandbox({ clock, limitsClock: clock, token: 'secret', checks: 3 });
    const ask = async () => {
      const { body } = await request('http://service/api/3.1/checks', {
        dispatcher: new MemoryDispatcher(sandbox.app),
        headers: { authorization: 'Bearer secret' },
      });
      return body.text();
    };
    for (const kind of ['reset-before-headers', 'reset-in-body'] as const) {
      expect(Object.keys(faultKinds)).toContain(kind);
      sandbox.faults.inject({ kind, times: 1 });
      await expect(ask()).rejects.toMatchObject({ code: 'ECONNRESET' });
    }
    expect(await ask()).toContain('checks');
  });
});
