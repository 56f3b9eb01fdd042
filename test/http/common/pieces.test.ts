import { h } from 'preact';
import { expect, test } from 'vitest';
import { within } from '../../../src/http/common/layout.tsx';
import { joinedInTurns } from '../../../src/http/common/send-pieces.ts';

test('pieces stand in the place that elements leave for them, whatever texts say', async () => {
  const text = '<template></template>';
  const pieces = within((inner) => h('p', null, text, inner), ['<b>a', '</b>']);
  expect(await joinedInTurns(pieces)).toBe('<p>&lt;template>&lt;/template><b>a</b></p>');
});

test('other work is done between pieces', async () => {
  const order: string[] = [];
  function* pieces() {
    order.push('first');
    setImmediate(() => order.push('other'));
    yield '';
    order.push('second');
    yield '';
  }
  await joinedInTurns(pieces());
  expect(order).toEqual(['first', 'other', 'second']);
});
