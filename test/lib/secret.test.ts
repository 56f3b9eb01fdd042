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

  // Worked out with python3: base64, binascii, html.escape, urllib.parse.quote, json.dumps.
  test.each([
    ['as a bearer token in base64', 'QmVhcmVyIHRvayJlbisvJj05ODc2', '<secret>'],
    ['in base64 amid other text', 'eyJhIjoidG9rImVuKy8mPTk4NzYifQ==', 'eyJhIjoi<secret>ifQ=='],
    ['as the password of basic credentials', 'dTp0b2siZW4rLyY9OTg3Ng==', 'dTp0<secret>'],
    ['in hexadecimal digits', '746f6b22656e2b2f263d39383736', '<secret>'],
    ['in hexadecimal capitals', '746F6B22656E2B2F263D39383736', '<secret>'],
    ['escaped for HTML', 'tok&quot;en+/&amp;=9876', '<secret>'],
    ['escaped for HTML with numbers', 'tok&#34;en&#43;&#x2F;&#x26;&#061;9876', '<secret>'],
    ['escaped for HTML twice', 'tok&amp;quot;en+/&amp;amp;=9876', '<secret>'],
    ['encoded for a URL twice', 'tok%2522en%252B%252F%2526%253D9876', '<secret>'],
    ['encoded for a URL three times', 'tok%252522en%25252b%25252f%252526%25253d9876', '<secret>'],
    ['with every letter encoded', '%74%6F%6b%22%65%6e%2B%2F%26%3D%39%38%37%36', '<secret>'],
    ['escaped for JSON as PHP does', 'tok\\"en+\\/&=9876', '<secret>'],
    ['escaped for JSON as Go does', 'tok\\"en+/\\u0026=9876', '<secret>'],
    ['escaped for JSON twice', 'tok\\\\\\"en+/&=9876', '<secret>'],
    ['in a path', 'tok%22en+%2F&=9876', '<secret>'],
  ])('removes a secret %s', (_form, echoed, left) => {
    const clean = new Scrubber([new Secret('tok"en+/&=9876')]).scrub(`a/${echoed}/b`);

    expect(clean).toContain('<secret>');
    if (left === '<secret>') expect(clean).toBe('a/<secret>/b');
  });

  const steps = {
    json: (text: string) => JSON.stringify(text).slice(1, -1),
    slashes: (text: string) => text.replaceAll('/', '\\/'),
    url: encodeURIComponent,
    form: (text: string) => new URLSearchParams({ text }).toString().slice('text='.length),
    html: (text: string) =>
      text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    named: (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  };
  const codes = {
    none: (text: string) => text,
    base64: (text: string) => Buffer.from(text).toString('base64'),
    base64url: (text: string) => Buffer.from(text).toString('base64url'),
    bearer: (text: string) => Buffer.from(`Bearer ${text}`).toString('base64'),
    basic: (text: string) => Buffer.from(`me@example.com:${text}`).toString('base64'),
    within: (text: string) => Buffer.from(`{"a": "${text}"}`).toString('base64url'),
    hex: (text: string) => Buffer.from(text).toString('hex'),
  };

  test('finds any secret in any code, escaped or encoded up to twice, in whatever surrounds it', () => {
    const unit = fc.constantFrom(...'abcXYZ019-_.~!$&\'()*+,;=:@/?#[]<>"\\%ä€');
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 80, unit }),
        fc.constantFrom(...Object.values(codes)),
        fc.array(fc.constantFrom(...Object.values(steps)), { maxLength: 2 }),
        fc.string(),
        (value, code, escapes, around) => {
          const echoed = escapes.reduce((text, step) => step(text), code(value));
          const scrubber = new Scrubber([new Secret(value)]);
          const clean = scrubber.scrub(`${around} ${echoed} ${around}`);

          expect(clean).toContain('<secret>');
          // What may be left is what stood before and after it in the same base64.
          const middle = echoed.slice(echoed.length / 3, (echoed.length * 2) / 3);
          if (code === codes.none || code === codes.hex) expect(clean).not.toContain(echoed);
          else if (middle.length >= 8) expect(clean).not.toContain(middle);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a text that holds it may hold it also by the quick look at its bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, unit: fc.constantFrom(...'abcXYZ019-_+/="&') }),
        fc.constantFrom(...Object.values(codes)),
        fc.constantFrom(...Object.values(steps)),
        (value, code, step) => {
          const scrubber = new Scrubber([new Secret(value)]);
          expect(scrubber.occursIn(Buffer.from(`{"name":"${step(code(value))}"}`))).toBe(true);
        },
      ),
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
    expect(scrubber.occursIn(Buffer.from(text))).toBe(false);
  });
});
