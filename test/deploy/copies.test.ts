import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generatedDashboards } from '../../dashboards/source/dashboards.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { missing } from '../support/tools.ts';
import { chartFolder, helm, root } from './chart.ts';

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

test('the object of the Prometheus operator has every group of the default rules', () => {
  const { groups } = parse(read('alerts', 'uptime.yaml'));
  expect(parse(read('deploy/kubernetes/prometheus-rule.yaml')).spec.groups).toEqual(groups);
});

test('the chart has the dashboards and no others', () => {
  const folder = join(chartFolder, 'files/dashboards');
  const copies = readdirSync(folder).map((name) => [
    `dashboards/${name}`,
    readFileSync(join(folder, name), 'utf8'),
  ]);
  expect(copies.sort()).toEqual([...generatedDashboards()].sort());
});

describe.skipIf(missing('helm'))(
  'a chart without copies says how to make them when it is asked for',
  () => {
    test.each([
      ['prometheusRule', /npm run copies` first: the chart has no files\/rules.yaml/],
      ['dashboards', /npm run copies` first: the chart has no files\/dashboards/],
    ])('%s', async (name, reason) => {
      const chart = join(await temporaryFolder(), 'uptime-exporter');
      cpSync(chartFolder, chart, { recursive: true });
      rmSync(join(chart, 'files/dashboards'), { recursive: true });
      rmSync(join(chart, 'files/rules.yaml'));
      const values = [
        ...['accounts[0].name=a', 'accounts[0].baseUrl=https://a.example'],
        'accounts[0].existingSecret=s',
      ].map((value) => `--set=${value}`);
      const template = (...more: string[]) => helm('template', 'uptime', chart, ...values, ...more);
      await template();
      await expect(template(`--set=${name}.enabled=true`)).rejects.toThrow(reason);
    });
  },
);
