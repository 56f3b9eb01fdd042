import { request } from 'undici';
import { expect, test } from 'vitest';
import { mostReaders, PublicPages } from '../../../src/http/public/public-pages.ts';
import { livelyAccount } from '../../support/lively-account.ts';
import { MemoryDispatcher } from '../../support/memory-http.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

test('further readers than there are places are sent away, and later ones are served', async () => {
  const clock = new VirtualClock();
  let statuses = 0;
  const page = { name: 'shop', title: 'Shop', account: 'main', group: 'team:1' };
  const pages = [page];
  const publicPages = new PublicPages({
    pages: () => pages,
    status: {
      accounts: () => {
        statuses += 1;
        return [livelyAccount(6)];
      },
    },
    clock,
    timeZone: () => 'UTC',
    isRestored: () => true,
  });
  const dispatcher = new MemoryDispatcher(
    publicPages.before((_request, response) => response.writeHead(404).end()),
  );
  const read = async () => {
    const { statusCode, headers, body } = await request('http://localhost/status/shop', {
      dispatcher,
    });
    await body.dump();
    return [statusCode, headers['retry-after']];
  };

  const replies = await Promise.all(Array.from({ length: mostReaders + 50 }, read));

  expect(replies.filter(([code]) => code === 200)).toHaveLength(mostReaders);
  expect(replies.filter(([code, after]) => code === 503 && after === '30')).toHaveLength(50);
  expect(statuses).toBe(1);
  expect(await read()).toEqual([200, undefined]);
});
