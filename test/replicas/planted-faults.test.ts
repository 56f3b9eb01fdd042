import { expect, test } from 'vitest';
import { planted } from './support/planted-faults.ts';
import { textWith } from './support/variants.ts';

test.each(Object.entries(planted))(
  'the source still has the place of the fault "%s"',
  (_, changes) => {
    for (const change of changes) expect(textWith(change)).toContain(change.changed);
  },
);
