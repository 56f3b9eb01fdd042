import { expect, test } from 'vitest';
import { checkStatuses, lastTestFailed } from '../../src/domain/check.ts';

test('the last test failed, confirmed or not', () => {
  expect(checkStatuses.filter(lastTestFailed)).toEqual(['down', 'unconfirmed_down']);
});
