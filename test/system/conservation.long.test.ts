import { describe, expect, test } from 'vitest';
import type { DocumentForm } from '../../src/sandbox/wire-forms.ts';
import { playMonth } from '../support/month-driver.ts';
import { catchUp, expectMonthsTruth } from '../support/months-truth.ts';

const seeds = [1, 2, 3, 4];
const forms: readonly [string, readonly DocumentForm[]][] = [
  ['as recorded', []],
  ['as documented', ['reports-to-now', 'milliseconds', 'type-array', 'absent-values']],
];

describe.each(forms)('a service that answers %s', (_, documentForms) => {
  test.each(seeds)(
    'over month %i of outages, pauses, faults, droughts, full disks and crashes every counter agrees with the service and none steps back',
    async (seed) => {
      const limits = { shortLimit: 400, longLimit: 72_000 };
      const month = await playMonth({ seed, limits, days: 30, documentForms });
      await catchUp(month);

      expect(month.crashes).toBeGreaterThan(3);
      await expectMonthsTruth(month);
    },
    1_800_000,
  );
});
