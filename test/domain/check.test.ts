import { expect, test } from 'vitest';
import { checkStatuses, isDown } from '../../src/domain/check.ts';

test('a check is down from its first failed test, confirmed or not', () => {
  expect(checkStatuses.filter(isDown)).toEqual(['down', 'unconfirmed_down']);
});
