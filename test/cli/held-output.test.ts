import { expect, test } from 'vitest';
import { HeldOutput } from '../../src/cli/held-output.ts';

test('what is held is written in its order when it is released, and later text at once', () => {
  const written: string[] = [];
  const held = new HeldOutput({ write: (text: string) => written.push(text) });
  held.write('a');
  held.write('b');
  expect(written).toEqual([]);

  held.release();
  held.write('c');
  held.release();
  expect(written).toEqual(['a', 'b', 'c']);
});
