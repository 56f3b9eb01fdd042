import { expect, test } from 'vitest';
import { describeStatus } from '../../../src/operations/reports/result-entry.ts';
import { checkTypes } from '../../../src/vocabulary.ts';

test('only a good result is described as OK', () => {
  for (const type of checkTypes) {
    expect(describeStatus(type, 'up', 0.5)).toEqual({ statusdesc: 'OK', statusdesclong: 'OK' });
    expect(describeStatus(type, 'unknown', 0.5).statusdesc).toBe('Unknown');
    for (const chance of [0, 0.4, 0.999_999]) {
      const failure = describeStatus(type, 'unconfirmed_down', chance);
      expect(failure.statusdesc).not.toMatch(/^OK|Unknown$/);
      expect(describeStatus(type, 'down', chance)).toEqual(failure);
    }
  }
});

test('only web sites fail with an HTTP error', () => {
  const failures = checkTypes.filter((type) =>
    [0, 0.34, 0.67].some((chance) =>
      describeStatus(type, 'down', chance).statusdesc.startsWith('HTTP'),
    ),
  );

  expect(failures).toEqual(['http', 'httpcustom']);
});
