import { expect, test } from 'vitest';
import { didYouMean } from '../../src/lib/nearest-word.ts';

const keys = ['name', 'version', 'base_url', 'budget', 'short_limit'];

test.each([
  ['budgte', '; did you mean "budget"?'],
  ['api_version', '; did you mean "version"?'],
  ['URL', '; did you mean "base_url"?'],
  ['limit', '; did you mean "short_limit"?'],
  ['colour', ''],
  ['', ''],
])('for %j a message ends with %j', (word, end) => {
  expect(didYouMean(word, keys)).toBe(end);
});
