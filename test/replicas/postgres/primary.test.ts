import { expect, test } from 'vitest';
import { triedAgain } from '../../../src/replicas/postgres/primary.ts';
import { ConnectionLostError } from '../../../src/replicas/postgres/session.ts';

test('work is tried again after a lost connection, at most twice, and not after another error', async () => {
  const worked = async (...errors: readonly Error[]) => {
    const left = [...errors];
    const outcome = await triedAgain(async () => {
      const error = left.shift();
      if (error !== undefined) throw error;
      return 'done';
    }).catch((error: unknown) => error);
    return [outcome, left.length];
  };
  const lost = new ConnectionLostError('the connection was closed');
  const wrong = new Error('a syntax error');

  expect(await worked(lost)).toEqual(['done', 0]);
  expect(await worked(lost, lost)).toEqual(['done', 0]);
  expect(await worked(lost, lost, lost)).toEqual([lost, 0]);
  expect(await worked(lost, lost, lost, lost)).toEqual([lost, 1]);
  expect(await worked(wrong)).toEqual([wrong, 0]);
  expect(await worked(wrong, wrong)).toEqual([wrong, 1]);
});
