import { expect, test } from 'vitest';
import { redactValue, redactWord } from '../../src/lib/redact-value.ts';

test.each([
  [null, 'nothing'],
  [{}, 'a mapping'],
  [[], 'an empty list'],
  [true, 'true'],
  [-1, '-1'],
  [1.5, '1.5'],
  ['verbose', '"verbose"'],
  ['120%', '"120%"'],
  ['99.9 %', '"99.9 %"'],
  ['99,95 %', '"99,95 %"'],
  ['5GiB', '"5GiB"'],
  ['', '""'],
  [[7, 'shop'], '[7,"shop"]'],
])('%j can be repeated: %s', (value, words) => {
  expect(redactValue(value)).toBe(words);
});

test.each([
  ['hunter2', 'a text'],
  ['Hunter', 'a text'],
  ['correcthorse', 'a text'],
  ['two words', 'a text'],
  [1_234_567, 'a number'],
  [[7, 'hunter2'], 'a list'],
  [[['hunter2']], 'a list'],
])('%j may be a secret: %s', (value, words) => {
  expect(redactValue(value)).toBe(words);
});

test.each([
  ['Berlin', '"Berlin"'],
  ['Mars/Olympus', '"Mars/Olympus"'],
  ['Hunter2', 'a text'],
  ['aVeryLongTextWithoutAnyDigit', 'a text'],
  [7, '7'],
])('where a word is expected, %j is %s', (value, words) => {
  expect(redactWord(value)).toBe(words);
});
