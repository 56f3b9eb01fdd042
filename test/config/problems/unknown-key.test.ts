import { expect, test } from 'vitest';
import { describeUnknownKey } from '../../../src/config/problems.ts';

const allowed = ['token', 'token_file', 'name'];
const known: ReadonlySet<string> = new Set([...allowed, 'enabled']);

test.each([
  ['tokens', 'unknown key "tokens"; did you mean "token"?'],
  ['enabled', 'unknown key "enabled"'],
  ['token:tok-hunter2', 'the key token must end with a colon and a space'],
  ['token=tok-hunter2', 'the key token must end with a colon and a space'],
  ['token\ttok-hunter2', 'the key token must end with a colon and a space'],
  ['tokn:tok-hunter2', 'unknown key "tokn"; did you mean "token"?'],
  ['hunter', 'unknown key'],
  ['token2', 'unknown key; did you mean "token"?'],
  ['', 'unknown key'],
])('of the key %j it is said: %s', (key, words) => {
  expect(describeUnknownKey(key, allowed, known)).toBe(words);
});
