import { expect, test } from 'vitest';
import { type QuirkName, quirkKinds } from '../../sandbox/src/faults/quirks.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;

const names = Object.keys(quirkKinds) as QuirkName[];
const isOfHeaders = (name: string) => name.endsWith('-limit-headers');
// Its responses are megabytes long, so one is enough.
const ofObjects = names.filter((name) => !isOfHeaders(name) && name !== 'absurd-values');

const asDocumented = { attributes: 'present', ids: 'numbers', words: 'small' } as const;
const otherForms = { attributes: 'absent', ids: 'texts', words: 'capitals' } as const;
const cases = [
  ['of all other objects at once, in other forms', ofObjects, 2.5, otherForms] as const,
  ['null', [], 2.5, { attributes: 'null' }] as const,
  ...names.map((name) => [name, [name], isOfHeaders(name) ? 5 : 2.5, asDocumented] as const),
];
test.each(casesOf(cases, 0))(
  'nothing is refused and all is counted right with the quirk %s',
  async (_name, quirks: readonly QuirkName[], hours, forms) => {
    const checks = quirks.includes('absurd-values') ? 2 : 6;
    const wire = { ...forms, stray401: 0, stray403: 0, missingLimits: 0 };
    const exporter = await RestartableExporter.create({ checks, transactions: 2, quirks, wire });
    const { sandbox } = exporter;
    for (const [place, { id }] of sandbox.world.checks.entries()) {
      const from = exporter.now + (hours * hour) / 5 + place * 7 * minute;
      sandbox.world.plant({ checkId: id, status: 'down', from, to: from + 20 * minute });
    }
    await exporter.start();
    await exporter.pass(hours * hour);

    const samples = await exporter.scrape();
    const refused = [...samples].filter(
      ([sample, count]) =>
        /^uptime_exporter_(?:rejected_entries|dataset_errors)_total/.test(sample) && count > 0,
    );
    expect(refused).toEqual([]);
    expect(samples.get('uptime_up{account="shop"}')).toBe(1);
    expect(exporter.log.filter((line) => /level=(?:error|warn)/.test(line))).toEqual([]);
    // Without limit headers, 100 requests an hour must suffice.
    await expectTheTruth(exporter, hours === 5 ? 4 * hour : hour);
  },
);
