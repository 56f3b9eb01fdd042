import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isShort, Scrubber, Secret } from '../../src/lib/secret.ts';
import fc from '../support/fast-check.ts';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  test('reveals its value when asked by name', () => {
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

test('a secret is short up to seven characters', () => {
  expect(isShort(new Secret('hunter2'))).toBe(true);
  expect(isShort(new Secret('hunter22'))).toBe(false);
});

describe('Scrubber', () => {
  const value = 'p "ä/+=\\w';

  // Literals that other tools computed: jq, python3's urllib and base64.
  test.each([
    ['as it is', 'p "ä/+=\\w'],
    ['escaped for JSON', 'p \\"ä/+=\\\\w'],
    ['escaped for JSON in ASCII, as Python does', 'p \\"\\u00e4/+=\\\\w'],
    ['escaped for JSON in ASCII with capitals', 'p \\"\\u00E4/+=\\\\w'],
    ['escaped for JSON with slashes, as PHP does', 'p \\"\\u00e4\\/+=\\\\w'],
    ['encoded for a URL', 'p%20%22%C3%A4%2F%2B%3D%5Cw'],
    ['encoded for a URL in small letters', 'p%20%22%c3%a4%2f%2b%3d%5cw'],
    ['as the user of basic credentials', 'cCAiw6QvKz1cdzo='],
    ['in base64', 'cCAiw6QvKz1cdw=='],
    ['in base64 without padding', 'cCAiw6QvKz1cdw'],
  ])('removes a secret %s', (_form, echoed) => {
    const scrubber = new Scrubber([new Secret(value)]);

    expect(scrubber.scrub(`a ${echoed} b ${echoed}`)).toBe('a <secret> b <secret>');
  });

  // From the same tools. The two alphabets of base64 differ for these.
  test.each([
    ['in base64', "a?>ÿ!'(x)* ~", 'YT8+w78hJyh4KSogfg=='],
    ['in base64 with slashes escaped, as PHP does', '???>????', 'Pz8\\/Pj8\\/Pz8='],
    ['in base64url', "a?>ÿ!'(x)* ~", 'YT8-w78hJyh4KSogfg=='],
    ['in base64url without padding', "a?>ÿ!'(x)* ~", 'YT8-w78hJyh4KSogfg'],
    ['in base64url with an underscore', '>>?~ä p', 'Pj4_fsOkIHA='],
    ['in base64url as the user of basic credentials', "a?>ÿ!'(x)* ~", 'YT8-w78hJyh4KSogfjo'],
    ['with the characters kept that a URL allows', "a?>ÿ!'(x)* ~", "a%3F%3E%C3%BF!'(x)*%20~"],
  ])('removes a secret with other unusual characters %s', (_form, secret, echoed) => {
    expect(new Scrubber([new Secret(secret)]).scrub(`a ${echoed} b`)).toBe('a <secret> b');
  });

  test.each([
    ['as they are', 'me@example.com:pass?word>1'],
    ['as basic credentials', 'bWVAZXhhbXBsZS5jb206cGFzcz93b3JkPjE='],
    ['as basic credentials without padding', 'bWVAZXhhbXBsZS5jb206cGFzcz93b3JkPjE'],
    ['in a URL', 'me%40example.com%3Apass%3Fword%3E1'],
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

  test.each([
    ['level', 'password=level {"a":"level"} level', 'password=<secret> {"a":"<secret>"} <secret>'],
    ['level', 'list_level levels été-level! leveL', 'list_level levels été-<secret>! leveL'],
    ['17', 'key 17, a:17@b, ?id=17', 'key <secret>, a:<secret>@b, ?id=<secret>'],
    ['17', '2026-11-17T10:17:17Z 17.5 1017 x17', '2026-11-17T10:17:17Z 17.5 1017 x17'],
    ['a+b', 'a+b xa+b a%2Bb YSti', '<secret> xa+b <secret> <secret>'],
  ])('removes the short secret "%s" only where it stands alone', (secret, text, clean) => {
    expect(new Scrubber([new Secret(secret)]).scrub(text)).toBe(clean);
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

  test('finds any secret in plain text, JSON, a URL and base64, also by the quick look', () => {
    const unit = fc.constantFrom(...'abcXYZ019-_.~!$&\'()*+,;=:@/?#[]<>"\\%ä€');
    const forms: readonly ((secret: string) => string)[] = [
      (secret) => secret,
      (secret) => JSON.stringify(secret).slice(1, -1),
      encodeURIComponent,
      (secret) => Buffer.from(secret).toString('base64'),
      (secret) => Buffer.from(secret).toString('base64url'),
      (secret) => Buffer.from(`${secret}:`).toString('base64'),
    ];
    const secrets = fc.string({ minLength: 8, maxLength: 80, unit });
    fc.assert(
      fc.property(secrets, secrets, fc.constantFrom(...forms), (one, other, form) => {
        const scrubber = new Scrubber([new Secret(one), new Secret(other)]);
        const text = `user ${form(one)}, and ${form(other)}`;

        expect(scrubber.occursIn(text)).toBe(true);
        expect(scrubber.scrub(text)).not.toContain(form(one));
        expect(scrubber.scrub(text)).not.toContain(form(other));
      }),
      { numRuns: 500 },
    );
  });

  // A search whose cost grows faster than the text would not end here.
  test.each(['\\', '%', '%25', '&amp;', '&', '&#', '\\u0026', '=', '+', '/', ' '])(
    'searches a long text of %j for secrets of any characters',
    (repeated) => {
      const secrets = [
        '-abcdefgh',
        '__abcdefgh',
        '&&&&abcdefgh',
        '\\\\\\\\abcdefgh',
        '////++++====',
        '\\-\\-\\-\\-x',
      ];
      const scrubber = new Scrubber(secrets.map((secret) => new Secret(secret)));
      const text = repeated.repeat(64 * 1024);
      expect(scrubber.scrub(text)).toBe(text);
    },
  );

  test('other texts are left as they are', () => {
    const scrubber = new Scrubber([new Secret('a-token-of-some-length-1234567890')]);
    const text = 'level=info msg="configuration reloaded" added=1 path=/a/b?c=%20&d=YWJj';

    expect(scrubber.scrub(text)).toBe(text);
    expect(scrubber.occursIn(text)).toBe(false);
  });
});
