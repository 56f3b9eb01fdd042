import { expect, test } from 'vitest';
import { NewBeginning } from '../../src/app/new-beginning.ts';
import type { Log } from '../../src/lib/log.ts';
import { StoreError } from '../../src/store/store-error.ts';

/** A restored copy whose beginning is stored with these outcomes. */
function setUp(...outcomes: readonly (StoreError | 'stored')[]) {
  const lines: string[] = [];
  const ignored = () => {};
  const log: Log = {
    debug: ignored,
    info: ignored,
    warn: ignored,
    error: (_, line) => lines.push(line),
  };
  const rest = [...outcomes];
  let begun = 0;
  const state = {
    beginAgain: () => {
      begun++;
    },
    storeBeginning: async () => {
      const outcome = rest.shift();
      if (outcome instanceof StoreError) throw outcome;
    },
  };
  const beginning = new NewBeginning({ account: 'shop', state, log });
  beginning.await();
  const attempted = async (code: string) => {
    const [responseBytes, durationSeconds] = [0, 0];
    beginning.attempted({ operation: 'x', path: '/', code, durationSeconds, responseBytes });
    await beginning.ended();
  };
  return { attempted, lines, seen: () => ({ begun, left: rest.length }) };
}

const full = new StoreError('full', 'no space left');
const fenced = new StoreError('fenced', 'the account shop belongs to replica 2');

test('the counters begin again once, with the first response', async () => {
  const { attempted, seen } = setUp('stored', 'stored');
  await attempted('timeout');
  expect(seen()).toEqual({ begun: 0, left: 2 });

  await attempted('500');
  await attempted('200');
  expect(seen()).toEqual({ begun: 1, left: 1 });
});

test('each response stores the beginning until it is stored; the log has the failure once', async () => {
  const { attempted, lines, seen } = setUp(full, full, 'stored', 'stored');
  for (let response = 0; response < 4; response++) await attempted('200');

  expect(seen()).toEqual({ begun: 1, left: 1 });
  expect(lines).toEqual(['counters begin again, which could not be stored; trying again']);
});

test('an account that another replica has taken meanwhile is no failure to store it', async () => {
  const { attempted, lines, seen } = setUp(fenced);
  await attempted('200');

  expect(seen()).toEqual({ begun: 1, left: 0 });
  expect(lines).toEqual([]);
});
