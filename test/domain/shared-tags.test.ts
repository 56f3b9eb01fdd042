import { expect, test } from 'vitest';
import type { CheckTag } from '../../src/domain/check.ts';
import { SharedTags } from '../../src/domain/shared-tags.ts';

const tag = (name: string, source: CheckTag['source'] = 'user'): CheckTag => ({ name, source });

test('a tag is one object for all checks that bear it', () => {
  const shared = new SharedTags();
  const first = shared.of([tag('shop'), tag('production')]);
  const second = shared.of([tag('production'), tag('search')]);

  expect(second).toEqual([tag('production'), tag('search')]);
  expect(second[0]).toBe(first[1]);
});

test('tags of one name that a person and the service have set are two', () => {
  const shared = new SharedTags();
  expect(shared.of([tag('http'), tag('http', 'auto')])).toEqual([tag('http'), tag('http', 'auto')]);
});

test('more different tags than are kept are shown anyway', () => {
  const shared = new SharedTags();
  const names = Array.from({ length: 50_010 }, (_, index) => `tag ${index}`);
  for (const name of names) expect(shared.of([tag(name)])[0]?.name).toBe(name);
  expect(shared.of([tag('tag 3')])).toEqual([tag('tag 3')]);
});
