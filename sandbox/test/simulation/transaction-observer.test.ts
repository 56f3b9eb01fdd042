import { expect, test } from 'vitest';
import type { SandboxTransaction } from '../../src/account/transactions.ts';
import { World } from '../../src/account/world.ts';
import { lastDowntime } from '../../src/simulation/transaction-states.ts';

const startedAt = 1_767_614_400;
const world = () => new World({ seed: 1, checks: 1, transactions: 30, startedAt });

test('what is remembered of a transaction is what its history says at any time', () => {
  const subject = world();
  const { history } = world();
  const words = { up: 'successful', down: 'failing', unconfirmed_down: 'failing' } as const;
  for (const seconds of [0, 1, 299, 300, 301, 3600, 7205, 100, 86_400, 900_000]) {
    const time = startedAt + seconds;
    for (const transaction of subject.transactions.all) {
      const state = history.stateAt(transaction, time);
      expect(subject.transactionObserver.observe(transaction, time)).toEqual({
        status: state in words ? words[state as keyof typeof words] : 'unknown',
        downtime: lastDowntime(history, transaction, time),
      });
    }
  }
});

test('what is remembered of a transaction gives way to what is planted', () => {
  const subject = world();
  const transaction = subject.transactions.all[0] as SandboxTransaction;
  expect(subject.transactionObserver.observe(transaction, startedAt).status).toBe('successful');

  subject.plant({ checkId: transaction.id, status: 'down', from: startedAt - 7200 });

  const observed = subject.transactionObserver.observe(transaction, startedAt);
  expect(observed.status).toBe('failing');
  expect(observed.downtime?.start).toBeGreaterThanOrEqual(startedAt - 7200);
  expect(observed.downtime).not.toHaveProperty('end');
});

test('a transaction fails from its first failed run on', () => {
  const subject = world();
  const { id, runs } = subject.transactions.all[0] as SandboxTransaction;
  const interval = runs[0]?.resolutionSeconds ?? 0;
  const from = startedAt + interval;
  subject.plant({ checkId: id, status: 'up', from: startedAt, to: from });
  subject.plant({ checkId: id, status: 'down', from });
  const transaction = subject.transactions.find(id) as SandboxTransaction;
  const failed = subject.history.results(transaction, from, from + interval + 1).next().value;
  const statusAt = (time: number) => subject.transactionObserver.observe(transaction, time).status;

  expect(statusAt((failed?.time ?? 0) - 1)).toBe('successful');
  expect(statusAt(failed?.time ?? 0)).toBe('failing');
  expect(statusAt((failed?.time ?? 0) + interval)).toBe('failing');
});
