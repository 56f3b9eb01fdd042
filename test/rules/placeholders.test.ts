import { describe, expect, test } from 'vitest';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { filled } from '../../src/rules/placeholders.ts';
import { ruleTemplate } from '../../src/rules/template.ts';

const fill = (text: string) => filled(text, defaultParameters);
const texts = ruleTemplate.groups.flatMap(({ rules }) => rules.map((rule) => JSON.stringify(rule)));
const used = [...new Set(texts.flatMap((text) => text.match(/<[a-z_0-9][^<>]*>/g) ?? []))];

describe('a placeholder', () => {
  test.each(used)('of the rules, %s, is filled', (name) => {
    expect(fill(name)).not.toMatch(/[<>]|NaN|undefined/);
  });

  test.each(used)('of the rules, %s, is refused when it is misspelt', (name) => {
    const misspelt = name.replace(/([a-z])([^a-z]*)>$/, '$1x$2>');
    expect(() => fill(misspelt)).toThrow(`the rules have an unknown placeholder: ${misspelt}`);
  });

  test.each([
    ['<slow.secnds>'],
    ['<slow>'],
    ['<100 * slow.secnds>'],
    ['<100 * slow>'],
    ['<seconds 25x>'],
  ])('that is unknown is refused: %s', (name) => {
    expect(() => fill(`a > ${name}`)).toThrow(name);
  });

  test('is not a comparison', () => {
    const expression = 'a < 3 and b > 2 and (c < on (job) d) > 1';
    expect(fill(expression)).toBe(expression);
  });
});
