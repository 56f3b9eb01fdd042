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
    ['in base64 without padding', 'cCAiw6QvKz1cdw'],
    ['encoded for a URL in lower case', 'p%20%22%c3%a4%2f%2b%3d%5cw'],
    ['encoded as a form', 'p+%22%C3%A4%2F%2B%3D%5Cw'],
    ['encoded as a form in lower case', 'p+%22%c3%a4%2f%2b%3d%5cw'],
    ['in base64 that is encoded for a URL', 'cCAiw6QvKz1cdw%3D%3D'],
    ['as the user of basic credentials that are encoded for a URL', 'cCAiw6QvKz1cdzo%3d'],
  ])('removes a secret %s', (_form, echoed) => {
    const scrubber = new Scrubber([new Secret(value)]);

    expect(scrubber.scrub(`a ${echoed} b ${echoed}`)).toBe('a <secret> b <secret>');
  });

  // From the same other tools; the alphabets of base64 differ for this one, and so do URL encodings.
  test.each([
    ['in base64', 'YT8+w78hJyh4KSogfg=='],
    ['in base64 that is encoded for a URL', 'YT8%2Bw78hJyh4KSogfg%3D%3D'],
    ['in base64url', 'YT8-w78hJyh4KSogfg=='],
    ['in base64url without padding', 'YT8-w78hJyh4KSogfg'],
    ['in base64url as the user of basic credentials', 'YT8-w78hJyh4KSogfjo'],
    ['with only its letters kept in a URL', 'a%3F%3E%C3%BF%21%27%28x%29*%20%7E'],
    ['with the characters kept that a URL allows', "a%3F%3E%C3%BF!'(x)*%20~"],
  ])('removes a secret with other odd characters %s', (_form, echoed) => {
    const scrubber = new Scrubber([new Secret("a?>ÿ!'(x)* ~")]);

    expect(scrubber.scrub(`a ${echoed} b ${echoed}`)).toBe('a <secret> b <secret>');
  });

  test('removes a secret in base64url that has an underscore in place of a slash', () => {
    expect(new Scrubber([new Secret('>>?~ä p')]).scrub('a Pj4_fsOkIHA= b')).toBe('a <secret> b');
  });

  test.each([
    ['as they are', 'me@example.com:pass?word>1'],
    ['as basic credentials', 'bWVAZXhhbXBsZS5jb206cGFzcz93b3JkPjE='],
    ['as basic credentials without padding', 'bWVAZXhhbXBsZS5jb206cGFzcz93b3JkPjE'],
    ['in a URL', 'me%40example.com%3Apass%3Fword%3E1'],
    ['in a URL in lower case', 'me%40example.com%3apass%3fword%3e1'],
  ])('removes a pair of address and password %s', (_form, echoed) => {
    const scrubber = new Scrubber([new Secret('me@example.com:pass?word>1')]);

    expect(scrubber.scrub(`a ${echoed} b`)).toBe('a <secret> b');
  });

  test('takes a secret that is no valid Unicode', () => {
    expect(new Scrubber([new Secret('half\ud83d')]).scrub('a half\ud83d b')).toBe('a <secret> b');
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
