import { expect, test } from 'vitest';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { renderRules } from '../../src/rules/render-rules.ts';
import { ruleSetNames } from '../../src/rules/rule-sets.ts';
import { missing, toolPath } from '../support/tools.ts';
import { VictoriaMetrics } from '../support/victoria-metrics.ts';

/** The condition of an alert. */
function conditionOf(name: string): string {
  const rules = renderRules({ ...defaultParameters, with: ruleSetNames }).flatMap(
    (group) => group.rules,
  );
  const found = rules.find((rule) => 'alert' in rule && rule.alert === name);
  if (found === undefined) throw new Error(`no alert is called ${name}`);
  return found.expr;
}

const begin = 1_780_000_000;

/** Samples of a counter of takes, 30 s apart. */
const takes = (instance: string, values: readonly number[]) =>
  values
    .map(
      (value, at) =>
        `uptime_exporter_lease_expired_takes_total{job="uptime",instance="${instance}",account="shop"} ${value} ${begin + 30 * at}\n`,
    )
    .join('');

test.skipIf(missing('victoria-metrics'))(
  'of VictoriaMetrics, four new replicas are no flapping, and four takes are one',
  async () => {
    const server = await VictoriaMetrics.start(toolPath('victoria-metrics'));
    const flapping = conditionOf('UptimeExporterOwnershipFlapping');
    const values = (...counts: readonly number[]) =>
      counts.flatMap((count) => Array(10).fill(count));
    const end = begin + 30 * 29;
    await server.importText(
      ['a', 'b', 'c', 'd'].map((one) => takes(one, values(0, 0, 0))).join(''),
    );
    await server.restart();
    expect(await server.query(flapping, end)).toEqual([]);
    // The second restarts.
    await server.importText(
      takes('e', values(0, 1, 2)) + takes('f', values(1, 0, 1)) + takes('g', values(0, 0, 1)),
    );
    await server.restart();
    expect(await server.query(flapping, end)).toMatchObject([{ samples: [[end, 4]] }]);
  },
);
