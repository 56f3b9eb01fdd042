import { expect, test } from 'vitest';
import { describeUnknownKey } from '../../src/lib/schema-problems.ts';

const keys = ['token', 'token_file', 'name'];
const known: ReadonlySet<string> = new Set([...keys, 'enabled']);

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
])('among keys of secrets, %j is described as: %s', (key, words) => {
  expect(describeUnknownKey(key, { keys, secret: true, isSet: false }, known)).toBe(words);
});

test.each([
  ['alerting', 'unknown key "alerting"'],
  ['recording_rules', 'unknown key "recording_rules"'],
  ['tok-hunter2', 'unknown key'],
  ['x'.repeat(41), 'unknown key'],
])('where no secrets belong, %j is described as: %s', (key, words) => {
  expect(
    describeUnknownKey(key, { keys: ['web', 'log'], secret: false, isSet: false }, known),
  ).toBe(words);
});

test.each([
  ['scrape_interval_seconds', 'unknown key "scrape_interval_seconds"'],
  ['interval', 'unknown key "interval"'],
  ['tok-hunter2', 'unknown key'],
  ['token:tok-hunter2', 'the key token must end with a colon and a space'],
])('with a value among keys of secrets, %j is described as: %s', (key, words) => {
  expect(describeUnknownKey(key, { keys, secret: true, isSet: true }, known)).toBe(words);
});
