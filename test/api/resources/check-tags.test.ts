import { describe, expect, test } from 'vitest';
import { decodeCheckTags } from '../../../src/api/resources/checks.ts';

describe('decodeCheckTags', () => {
  test.each([
    ['an integer count', { name: 'a', type: 'u', count: 3 }, 'user'],
    ['a count that is a string', { name: 'a', type: 'a', count: '3' }, 'auto'],
    ['no type', { name: 'a' }, 'user'],
    ['nothing but a string', 'a', 'user'],
  ])('reads a tag with %s', (_form, tag, source) => {
    expect(decodeCheckTags([tag])).toEqual([{ name: 'a', source }]);
  });

  test('gives a tag once per source', () => {
    const tags = [
      'a',
      { name: 'a', type: 'u' },
      { name: 'a', type: 'a' },
      { name: 'a', type: 'a' },
    ];
    expect(decodeCheckTags(tags)).toEqual([
      { name: 'a', source: 'user' },
      { name: 'a', source: 'auto' },
    ]);
  });

  test('leaves out what is no tag', () => {
    expect(decodeCheckTags([null, 7, {}, { name: 5 }, { name: '' }, '', ['x'], 'good'])).toEqual([
      { name: 'good', source: 'user' },
    ]);
  });

  test.each([undefined, null, 'a,b', { name: 'a' }, 7])('reads no tags from %j', (value) => {
    expect(decodeCheckTags(value)).toEqual([]);
  });
});
