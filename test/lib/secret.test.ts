import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Scrubber, Secret } from '../../src/lib/secret.ts';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  test('tells its value when asked by name', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  test.each([
    ['a template', `${secret}`],
    ['concatenation', `${'x'.concat(secret as unknown as string)}`],
    ['JSON', JSON.stringify({ secret, list: [secret] })],
    ['inspect', inspect({ secret }, { showHidden: true, depth: 9 })],
    ['its entries', JSON.stringify(Object.entries(secret))],
    ['a copy', inspect({ ...secret })],
  ])('does not show itself in %s', (_where, text) => {
    expect(text).not.toContain('hunter2');
  });
});

describe('Scrubber', () => {
  const value = 'p "ä/+=\\w';

  // Literals worked out with other tools than the code under test: jq, python3's urllib and base64.
  test.each([
    ['as it is', 'p "ä/+=\\w'],
    ['escaped for JSON', 'p \\"ä/+=\\\\w'],
    ['encoded for a URL', 'p%20%22%C3%A4%2F%2B%3D%5Cw'],
    ['as the user of basic credentials', 'cCAiw6QvKz1cdzo='],
    ['in base64', 'cCAiw6QvKz1cdw=='],
  ])('removes a secret %s', (_form, echoed) => {
    const scrubber = new Scrubber([new Secret(value)]);

    expect(scrubber.scrub(`a ${echoed} b ${echoed}`)).toBe('a <secret> b <secret>');
  });

  test('leaves nothing of the longer of two secrets when one is part of the other', () => {
    const scrubber = new Scrubber([new Secret('token'), new Secret('token-two')]);

    expect(scrubber.scrub('token-two token')).toBe('<secret> <secret>');
  });

  test('removes secrets added later', () => {
    const scrubber = new Scrubber();
    scrubber.add(new Secret('late'));

    expect(scrubber.scrub('too late')).toBe('too <secret>');
  });

  test('ignores an empty secret', () => {
    expect(new Scrubber([new Secret('')]).scrub('text')).toBe('text');
  });

  test('leaves no secret in any text', () => {
    const secrets = fc.string({ minLength: 9, unit: fc.constantFrom(...'abc$&"%+/=') });
    fc.assert(
      fc.property(secrets, secrets, fc.string(), (one, two, around) => {
        const scrubber = new Scrubber([new Secret(one), new Secret(two)]);
        const clean = scrubber.scrub(`${around}${one}${two}${around}`);
        expect(clean).not.toContain(one);
        expect(clean).not.toContain(two);
      }),
    );
  });
});
