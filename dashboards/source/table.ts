import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import {
  type DashboardLink,
  type DataTransformerConfig,
  FieldColorModeId,
  MappingType,
  SpecialValueMatch,
  type Threshold,
  ThresholdsMode,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import * as table from '@grafana/grafana-foundation-sdk/table';
import { colours } from './colours.ts';
import { filled, type PanelOptions } from './panel.ts';

export interface Column {
  readonly heading: string;
  /** Unit of a value; labels are text. */
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  readonly mappings?: readonly ValueMapping[];
  /** Colours the cell's text. */
  readonly thresholds?: readonly Threshold[];
  /** Not shown, but there for the links of other columns. */
  readonly hidden?: boolean;
  readonly links?: readonly Builder<DashboardLink>[];
}

export interface TableOptions extends Omit<PanelOptions, 'unit' | 'links' | 'thresholds'> {
  /** In their order: `Value` (or `Value #A`, … with several queries) and labels, by field. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The headings to sort by, and whether the greatest comes first. */
  readonly sortBy: readonly (readonly [heading: string, order: 'descending' | 'ascending'])[];
}

/**
 * One row for each set of labels; the queries' values side by side, so all of them must bear the
 * same labels. Text is the panel's unit: with any other one, Grafana formats strings of digits such
 * as identifiers, too.
 */
export function tablePanel({ columns, sortBy, ...options }: TableOptions) {
  const panel = filled(new table.PanelBuilder(), { ...options, unit: 'string' }, 'table');
  panel.cellHeight(common.TableCellHeight.Sm);
  panel.sortBy(
    sortBy.map(([heading, order]) =>
      new common.TableSortByFieldStateBuilder().displayName(heading).desc(order === 'descending'),
    ),
  );
  const fields = Object.keys(columns);
  // When only the first of several queries has series, Grafana calls its values by the plain name.
  const alone = 'Value #A' in columns ? ['Value'] : [];
  const named = Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) =>
      field === 'Value #A'
        ? [
            [field, column],
            ['Value', column],
          ]
        : [[field, column]],
    ),
  );
  const transformations: DataTransformerConfig[] = [
    ...(options.queries.length > 1 ? [{ id: 'merge', options: {} }] : []),
    { id: 'filterFieldsByName', options: { include: { names: [...fields, ...alone] } } },
    {
      id: 'organize',
      options: {
        renameByName: Object.fromEntries(
          Object.entries(named).map(([field, { heading }]) => [field, heading]),
        ),
        indexByName: Object.fromEntries(Object.keys(named).map((field, at) => [field, at])),
      },
    },
  ];
  for (const transformation of transformations) panel.withTransformation(transformation);
  for (const column of Object.values(columns)) {
    // In a cell, the panel's text for no data at all would pass for a value.
    // In a hidden one it would go into links.
    const absent = { id: 'noValue', value: column.hidden ? '' : '–' };
    panel.overrideByName(column.heading, [...columnProperties(column), absent]);
  }
  return panel;
}

/**
 * In letters this small, the blue of what is well can hardly be read on a dark theme: it is plain
 * text.
 */
const legible = (thresholds: readonly Threshold[]): Threshold[] =>
  thresholds.map((step) => (step.color === colours.good ? { ...step, color: 'text' } : step));

/** A number that is absent means nothing, whatever the first threshold is. */
const absent: ValueMapping = {
  type: MappingType.SpecialValue,
  options: {
    match: SpecialValueMatch.NullAndNan,
    result: { text: '–', color: colours.neutral, index: 9 },
  },
};

/** Of Grafana's palette, near to the colour of its links, which cells with colours do not have. */
const linkColour = 'blue';

const colouredCell = { type: common.TableCellDisplayMode.ColorText };
/**
 * Of text that takes what the other columns leave. Grafana's own 150 would push the last columns of
 * wide tables out of sight.
 */
const leastTextWidth = 130;

function columnProperties(column: Column) {
  const { unit, decimals, width, hidden, links } = column;
  const takesRest = unit === undefined && width === undefined && !hidden;
  return [
    ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
    ...(decimals === undefined ? [] : [{ id: 'decimals', value: decimals }]),
    ...(width === undefined ? [] : [{ id: 'custom.width', value: width }]),
    ...(takesRest ? [{ id: 'custom.minWidth', value: leastTextWidth }] : []),
    ...colouring(column),
    // Grafana 11 reads the first, newer ones the second.
    ...(hidden
      ? [
          { id: 'custom.hidden', value: true },
          { id: 'custom.hideFrom', value: { viz: true, legend: false, tooltip: false } },
        ]
      : []),
    ...(links === undefined ? [] : [{ id: 'links', value: links.map((link) => link.build()) }]),
  ];
}

/**
 * Of numbers by their thresholds, of texts that are no data by their mappings. What neither colours
 * is said to be text, or Grafana's own thresholds would make it green, and numbers above 80, such
 * as dates, red.
 */
function colouring({ unit, mappings = [], thresholds, links }: Column) {
  if (thresholds === undefined && mappings.length === 0) return [];
  const all = unit === undefined ? mappings : [...mappings, absent];
  const steps = legible(thresholds ?? []);
  const fixedColor = links === undefined ? 'text' : linkColour;
  return [
    ...(all.length === 0 ? [] : [{ id: 'mappings', value: all }]),
    ...(thresholds === undefined
      ? [{ id: 'color', value: { mode: FieldColorModeId.Fixed, fixedColor } }]
      : [
          { id: 'thresholds', value: { mode: ThresholdsMode.Absolute, steps } },
          { id: 'color', value: { mode: FieldColorModeId.Thresholds } },
        ]),
    { id: 'custom.cellOptions', value: colouredCell },
  ];
}

export interface RankingOptions extends Omit<TableOptions, 'columns' | 'sortBy' | 'queries'> {
  /** The headings of a name, by its label, and of the number. */
  readonly names: Readonly<Record<string, Column>>;
  readonly number: Column;
  readonly expr: string;
}

/**
 * A row for each series, the greatest first. Without bars: Grafana draws one, as long as it can, of
 * a row that is no data.
 */
export function rankingPanel({ names, number, expr, ...options }: RankingOptions) {
  return tablePanel({
    ...options,
    queries: [{ expr }],
    columns: { ...names, Value: number },
    sortBy: [[number.heading, 'descending']],
  });
}
