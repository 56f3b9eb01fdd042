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
import { colours, nothing } from './colours.ts';
import { filled, type PanelOptions } from './panel.ts';

export interface Column {
  readonly heading: string;
  /** The unit of a value. A column without a unit is text. */
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  readonly mappings?: readonly ValueMapping[];
  /** Colours the cell's text. */
  readonly thresholds?: readonly Threshold[];
  /** Hidden, but available to the links of other columns. */
  readonly hidden?: boolean;
  readonly links?: readonly Builder<DashboardLink>[];
}

export interface TableOptions extends Omit<PanelOptions, 'unit' | 'links' | 'thresholds'> {
  /** Columns in order, by field: `Value` (or `Value #A`, … with several queries), or a label. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The headings to sort by, with their direction. */
  readonly sortBy: readonly (readonly [heading: string, order: 'descending' | 'ascending'])[];
}

/**
 * One row per set of labels, with the values of the queries side by side, so all queries must have
 * the same labels. The unit of the panel is text: with any other unit, Grafana formats identifiers
 * of digits as numbers.
 */
export function tablePanel({ columns, sortBy, ...options }: TableOptions) {
  const shown = { noValue: nothing, ...options, unit: 'string' };
  const panel = filled(new table.PanelBuilder(), shown, 'table');
  panel.cellHeight(common.TableCellHeight.Sm);
  panel.sortBy(
    sortBy.map(([heading, order]) =>
      new common.TableSortByFieldStateBuilder().displayName(heading).desc(order === 'descending'),
    ),
  );
  const fields = Object.keys(columns);
  // If only the first of several queries has series, Grafana names its field `Value`.
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
    // The panel's text for missing data would look like a value in a cell, and would enter links
    // from a hidden one.
    const absent = { id: 'noValue', value: column.hidden ? '' : nothing };
    panel.overrideByName(column.heading, [...columnProperties(column), absent]);
  }
  return panel;
}

/** In table text, blue is hard to read on a dark theme, so good values have the text colour. */
const legible = (thresholds: readonly Threshold[]): Threshold[] =>
  thresholds.map((step) => (step.color === colours.good ? { ...step, color: 'text' } : step));

/** Shows a missing number as absent, regardless of the first threshold. */
const absent: ValueMapping = {
  type: MappingType.SpecialValue,
  options: {
    match: SpecialValueMatch.NullAndNan,
    result: { text: nothing, color: colours.neutral, index: 9 },
  },
};

/**
 * The blue of Grafana's palette, close to the colour of its links, for links in cells with colours.
 */
const linkColour = 'blue';

const colouredCell = { type: common.TableCellDisplayMode.ColorText };
/**
 * The minimum width of a text column that fills the remaining space. Grafana's default of 150 would
 * push the last columns of wide tables out of view.
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
    // Grafana 11 uses the first property, later versions the second.
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
 * Colours numbers by their thresholds, and texts by their mappings. A value that neither colours is
 * text: Grafana's default thresholds would make it green, and numbers above 80, such as dates, red.
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
  /** The heading of each label column, and of the number. */
  readonly names: Readonly<Record<string, Column>>;
  readonly number: Column;
  readonly expr: string;
}

/** A row per series, the greatest first. */
export function rankingPanel({ names, number, expr, ...options }: RankingOptions) {
  return tablePanel({
    ...options,
    queries: [{ expr }],
    columns: { ...names, Value: number },
    sortBy: [[number.heading, 'descending']],
  });
}
