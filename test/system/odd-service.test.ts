import { expect, test } from 'vitest';
import { type QuirkName, quirkKinds } from '../../src/sandbox/faults/quirks.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;

const names = Object.keys(quirkKinds) as QuirkName[];
const ofObjects = names.filter((name) => !name.endsWith('-limit-headers'));

test.each([
  ...names.map((name) => [name, [name]] as const),
  ['of all objects at once', ofObjects] as const,
])('nothing is refused and all is counted right with the quirk %s', async (_name, quirks) => {
  const exporter = await RestartableExporter.create({ checks: 6, transactions: 2, quirks });
  const { sandbox } = exporter;
  for (const [place, { id }] of sandbox.world.checks.entries()) {
    const from = exporter.now + hour + place * 7 * minute;
    sandbox.world.plant({ checkId: id, status: 'down', from, to: from + 20 * minute });
  }
  await exporter.start();
  await exporter.pass(5 * hour);

  const samples = await exporter.scrape();
  const refused = [...samples].filter(
    ([sample, count]) =>
      /^uptime_exporter_(?:rejected_entries|dataset_errors)_total/.test(sample) && count > 0,
  );
  expect(refused).toEqual([]);
  expect(samples.get('uptime_up{account="shop"}')).toBe(1);
  expect(exporter.log.filter((line) => /level=(?:error|warn)/.test(line))).toEqual([]);
  // Where the limits are not told, 100 requests an hour have to do.
  await expectTheTruth(exporter, 4 * hour);
});
