import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../src/exposition/catalogue/catalogue.ts';
import { startDemo } from './support/exporter-command.ts';
import { startPrometheus } from './support/prometheus.ts';
import { missing } from './support/tools.ts';

const folder = join(import.meta.dirname, '..', 'dashboards');

const dashboard = z.object({
  panels: z.array(
    z.object({
      title: z.string().min(1),
      description: z.string().min(1),
      datasource: z.object({ uid: z.string().regex(/^\$\{datasource\}$/) }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }) }),
      targets: z.array(z.object({ expr: z.string().min(1) })).min(1),
    }),
  ),
});

const families = new Set(catalogue.flatMap(({ families: rows }) => rows.map(({ name }) => name)));

describe.each(readdirSync(folder))('dashboards/%s', (file) => {
  const { panels } = dashboard.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  test('asks only for families of the catalogue', () => {
    const names = expressions.flatMap((expr) => expr.match(/\buptime_\w+/g) ?? []);
    expect(names.filter((name) => !families.has(name))).toEqual([]);
  });

  test.skipIf(missing('prometheus'))(
    'every panel has data of the demo in a real Prometheus',
    async () => {
      const demo = await startDemo();
      const prometheus = await startPrometheus(new URL(demo.url).host);
      await prometheus.eventually('uptime_exporter_api_requests_total offset 3s');

      for (const expression of expressions) {
        const filled = expression
          .replaceAll(/\$job|\$account/g, '.*')
          .replaceAll('$__rate_interval', '1m');
        expect(await prometheus.query(filled), filled).not.toHaveLength(0);
      }
    },
  );
});
