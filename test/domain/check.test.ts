import { expect, test } from 'vitest';
import { checkStatuses, isTested, lastTestFailed } from '../../src/domain/check.ts';

test('each status says whether the check is tested and whether its last test failed', () => {
  const table = checkStatuses.map((status) => [status, isTested(status), lastTestFailed(status)]);

  expect(table).toEqual([
    ['up', true, false],
    ['down', true, true],
    ['unconfirmed_down', true, true],
    ['unknown', false, false],
    ['paused', false, false],
  ]);
});
