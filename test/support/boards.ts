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
  fieldConfig: z.object({ defaults: z.object({ unit: text, noValue: text.optional() }) }),
  targets: z.array(target).min(1),
});
const row = z.object({
  type: z.literal('row'),
  id: z.number(),
  title: text,
  collapsed: z.boolean(),
  panels: z.array(panel),
});
const variable = z.looseObject({ name: text, type: text, label: text });
const schema = z.object({
  uid: text,
  title: text,
  description: text,
  editable: z.literal(false),
  tags: z.array(text).min(1),
  templating: z.object({ list: z.array(variable) }),
  /** Must be empty: outages and maintenance are rows of strips, not annotations. */
  annotations: z.strictObject({ list: z.array(z.never()).optional() }),
  links: z.array(z.looseObject({ title: text, url: text })),
  panels: z.array(z.union([row, panel])),
});

/** Every dashboard as Grafana receives it. */
export const boards = [...generatedDashboards()].map(([path, json]) => {
  const board = schema.parse(JSON.parse(json));
  // Includes the panels of closed rows.
  const panels = board.panels.flatMap((one) => ('targets' in one ? [one] : one.panels));
  const targets = panels.flatMap((one) => one.targets);
  return { path, json, board, panels, expressions: targets.map(({ expr }) => expr), targets };
});
