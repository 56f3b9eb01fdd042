import { expect, test } from 'vitest';
import { z } from 'zod';
import { boards } from '../support/boards.ts';

const property = z.looseObject({ id: z.string(), value: z.unknown() });
const panelSchema = z.looseObject({
  title: z.string().default(''),
  type: z.string(),
  collapsed: z.boolean().optional(),
  maxDataPoints: z.number().optional(),
  targets: z
    .array(z.looseObject({ expr: z.string(), instant: z.boolean().optional() }))
    .default([]),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z
    .looseObject({
      overrides: z.array(
        z.object({
          matcher: z.looseObject({ options: z.unknown() }),
          properties: z.array(property),
        }),
      ),
    })
    .optional(),
  options: z
    .looseObject({ sortBy: z.array(z.looseObject({ displayName: z.string() })).optional() })
    .optional(),
});
type Panel = z.infer<typeof panelSchema>;
const rowSchema = z.looseObject({ panels: z.array(panelSchema).default([]) });

const tables = boards.flatMap(({ path, json }) =>
  panelsOf(json).flatMap((panel) => (panel.type === 'table' ? [{ path, panel }] : [])),
);

function panelsOf(json: string): Panel[] {
  const { panels } = z.object({ panels: z.array(z.unknown()) }).parse(JSON.parse(json));
  return panels.flatMap((panel) => [panelSchema.parse(panel), ...rowSchema.parse(panel).panels]);
}

/** Without the panels of closed rows. */
function openPanelsOf(json: string): Panel[] {
  const { panels } = z.object({ panels: z.array(panelSchema) }).parse(JSON.parse(json));
  const closed = panels.findIndex(({ collapsed }) => collapsed);
  return closed === -1 ? panels : panels.slice(0, closed);
}

interface ShownColumn {
  readonly heading: string;
  readonly properties: ReadonlyMap<string, unknown>;
}

/** The visible columns. */
const columnsOf = ({ fieldConfig }: Panel): ShownColumn[] =>
  (fieldConfig?.overrides ?? [])
    .map(({ matcher, properties }) => ({
      heading: String(matcher.options),
      properties: new Map(properties.map(({ id, value }) => [id, value])),
    }))
    .filter(({ properties }) => properties.get('custom.hidden') !== true);

/**
 * In pixels, for Grafana 13 at 1366 pixels with the menu docked: the 24 columns of a board, the
 * space between panels, and the edges and scroll bar of a table.
 */
const [boardWidth, gap, edges] = [944, 8, 26];
/**
 * The width of a column without a configured one, unless its text is shorter:
 * `COLUMN.DEFAULT_WIDTH` of Grafana's table.
 */
const defaultWidth = 150;
/**
 * The approximate widths of a letter in a heading, of its padding, and of the arrow of a sorted
 * column.
 */
const [letter, padding, arrow] = [7.4, 13, 22];

const widthOf = ({ gridPos: { w } }: Panel) =>
  (w * (boardWidth - 23 * gap)) / 24 + (w - 1) * gap - edges;

const numberOr = (value: unknown, other: number) => (typeof value === 'number' ? value : other);

test.each(tables)('$path, $panel.title: no column is out of sight', ({ panel }) => {
  const widths = columnsOf(panel).map(({ properties }) =>
    numberOr(
      properties.get('custom.width'),
      numberOr(properties.get('custom.minWidth'), defaultWidth),
    ),
  );
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(widthOf(panel));
});

test.each(tables)('$path, $panel.title: no heading is cut', ({ panel }) => {
  const sorted = new Set(panel.options?.sortBy?.map(({ displayName }) => displayName));
  for (const { heading, properties } of columnsOf(panel)) {
    const needed = heading.length * letter + padding + (sorted.has(heading) ? arrow : 0);
    expect(numberOr(properties.get('custom.width'), needed), heading).toBeGreaterThanOrEqual(
      Math.floor(needed),
    );
  }
});

test.each(tables)('$path, $panel.title: colours are those that it says', ({ panel }) => {
  for (const { heading, properties } of columnsOf(panel)) {
    if (!properties.has('custom.cellOptions')) continue;
    // By default, Grafana colours texts green, and numbers above 80 red, which includes all dates.
    expect(properties.has('color'), heading).toBe(true);
    if (JSON.stringify(properties.get('custom.cellOptions')).includes('color-text')) {
      const isNumber = properties.has('unit');
      const mappings = JSON.stringify(properties.get('mappings'));
      // The first threshold applies to the lowest numbers and to missing ones.
      if (isNumber) expect(mappings, heading).toContain('null+nan');
    }
  }
});

const strips = boards.flatMap(({ path, json }) =>
  panelsOf(json).flatMap((panel) => (panel.type === 'state-timeline' ? [{ path, panel }] : [])),
);

test.each(strips)('$path, $panel.title: no text is cut to the width of its strip', ({ panel }) => {
  // With "auto", Grafana cuts a text to the letters that fit, if at least two do.
  expect(panel.options).toMatchObject({ showValue: 'never', legend: { showLegend: true } });
});

const month = 30 * 86_400;

test.each(boards)(
  '$path: over a month, points are no further apart than what they look back',
  ({ json }) => {
    for (const { title, maxDataPoints = 400, targets } of panelsOf(json)) {
      const hours = targets.flatMap(({ expr, instant }) =>
        instant === true ? [] : [...expr.matchAll(/\[(\d+)h\]/g)].map(([, count]) => Number(count)),
      );
      // Grafana rounds 45 to 75 minutes to an hour; a narrow panel has 400 points.
      const isDense = month / maxDataPoints <= 4500 * Math.min(...hours);
      if (hours.length > 0) expect(isDense, title).toBe(true);
    }
  },
);

test.each(boards)('$path has no holes between its panels', ({ json }) => {
  const cells = new Set<string>();
  let height = 0;
  for (const { gridPos } of openPanelsOf(json)) {
    const { x, y, w, h } = gridPos;
    for (let row = y; row < y + h; row++) {
      for (let column = x; column < x + w; column++) cells.add(`${row} ${column}`);
    }
    height = Math.max(height, y + h);
  }
  expect(cells.size).toBe(24 * height);
});
