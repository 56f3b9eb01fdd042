import { z } from 'zod';
import { generatedDashboards } from '../../dashboards/source/dashboards.ts';

const ownDatasource = z.object({
  type: z.literal('prometheus'),
  uid: z.literal(`\${${'datasource'}}`),
});
const text = z.string().min(1);

const target = z.object({
  datasource: ownDatasource,
  expr: text,
  legendFormat: z.string().optional(),
});
const panel = z.object({
  id: z.number(),
  type: text,
  title: text,
  description: text,
  datasource: ownDatasource,
  fieldConfig: z.object({ defaults: z.object({ unit: text }) }),
  targets: z.array(target).min(1),
});
const row = z.object({ type: z.literal('row'), title: text });
const variable = z.looseObject({ name: text, type: text, label: text });
const schema = z.object({
  uid: text,
  title: text,
  description: text,
  editable: z.literal(false),
  tags: z.array(text).min(1),
  templating: z.object({ list: z.array(variable) }),
  annotations: z.object({ list: z.array(target.extend({ name: text })).optional() }),
  panels: z.array(z.union([row, panel])),
});

/** Every dashboard as Grafana gets it. */
export const boards = [...generatedDashboards()].map(([path, json]) => {
  const board = schema.parse(JSON.parse(json));
  const panels = board.panels.filter((one) => one.type !== 'row') as z.infer<typeof panel>[];
  const targets = [...panels.flatMap((one) => one.targets), ...(board.annotations.list ?? [])];
  return { path, json, board, panels, expressions: targets.map(({ expr }) => expr), targets };
});
