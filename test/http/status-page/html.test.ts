import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html } from '../../../src/http/status-page/html.ts';

describe('html', () => {
  test('escapes what is put in, for text and for attributes in quotes', () => {
    expect(html`<p title="${`"'`}">${'</p><script>&amp;'}</p>`.toString()).toBe(
      '<p title="&quot;&#39;">&lt;/p&gt;&lt;script&gt;&amp;amp;</p>',
    );
  });

  test('puts markup in as it is, however deep', () => {
    const items = ['a<b', 'c'].map((item) => html`<li>${item}</li>`);

    expect(html`<ul>${items}</ul>`.toString()).toBe('<ul><li>a&lt;b</li><li>c</li></ul>');
  });

  test('escapes strings in a list', () => {
    expect(html`${['<', '>']}`.toString()).toBe('&lt;&gt;');
  });

  test('shows numbers, and nothing for undefined', () => {
    expect(html`${0}|${undefined}|${''}`.toString()).toBe('0||');
  });

  test('no text can open a tag, end an attribute or start an entity of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`<>&"'/a;`) }), (text) => {
        const escaped = html`${text}`.toString();
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      }),
    );
  });
});
