import { expect, test } from 'vitest';
import { drawnWire } from '../support/drawn-wire.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkResults } from '../support/service-truth.ts';
import { readSpan, shownResults } from '../support/shown-totals.ts';
import { expectAlertsTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;

const seeds = casesOf([...Array(20).keys()], 3, 7);

test.each(seeds)(
  'with the wire of seed %i, results, response times and alerts are those of the service',
  async (seed) => {
    const wire = drawnWire(seed);
    const exporter = await RestartableExporter.create({ seed, checks: 6, transactions: 0, wire });
    const { sandbox } = exporter;
    const start = exporter.now;
    for (const [place, { id }] of sandbox.world.checks.slice(0, 3).entries()) {
      const from = start + (10 + 7 * place) * minute;
      sandbox.world.plant({ checkId: id, status: 'down', from, to: from + 8 * minute });
    }
    await exporter.start();
    await exporter.pass(3 * hour);

    const samples = await exporter.scrape();
    const { items } = await exporter.disk.load('shop');
    expect(items.check.size).toBe(6);
    for (const [id, item] of items.check) {
      expect(item).not.toHaveProperty('goneAtSeconds');
      const span = readSpan(item);
      expect({ id, ...shownResults(samples, 'shop', id) }).toEqual({
        id,
        ...checkResults(sandbox, id, span),
      });
      expect(exporter.now - span.toSeconds).toBeLessThan(2 * hour);
    }
    await expectAlertsTruth(exporter);
    expect(exporter.watch.backsteps).toEqual([]);
  },
);
