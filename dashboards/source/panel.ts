import * as bargauge from '@grafana/grafana-foundation-sdk/bargauge';
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import {
  LegendDisplayMode,
  LegendPlacement,
  StackingMode,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type DashboardLink,
  DashboardLinkBuilder,
  type DataTransformerConfig,
  FieldColorBuilder,
  FieldColorModeId,
  type Threshold,
  type ThresholdsConfig,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { colours } from './colours.ts';
import { datasource, reference } from './variables.ts';

export interface Query {
  readonly expr: string;
  readonly legend?: string;
}

export interface PanelOptions {
  readonly title: string;
  readonly description: string;
  /** A unit of Grafana: `s`, `percentunit`, `short`, `none`, … */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** Of the 24 columns. */
  readonly width: number;
  readonly height?: number;
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
  readonly thresholds?: readonly Threshold[];
  readonly mappings?: readonly ValueMapping[];
  readonly links?: readonly Builder<DashboardLink>[];
  readonly noValue?: string;
  /** The legend of a line that is dashed. */
  readonly dashed?: string;
}

interface AnyPanel {
  title(text: string): this;
  description(text: string): this;
  datasource(reference: common.DataSourceRef): this;
  unit(unit: string): this;
  span(width: number): this;
  height(height: number): this;
  withTarget(target: Builder<Dataquery>): this;
  min(min: number): this;
  max(max: number): this;
  decimals(decimals: number): this;
  mappings(mappings: ValueMapping[]): this;
  thresholds(thresholds: Builder<ThresholdsConfig>): this;
  colorScheme(color: FieldColorBuilder): this;
  dataLinks(links: Builder<DashboardLink>[]): this;
  noValue(text: string): this;
}

type Shape = 'range' | 'instant' | 'table' | 'heatmap';

function filled<B extends AnyPanel>(panel: B, options: PanelOptions, shape: Shape): B {
  const { title, description, unit, queries, width, height = 8 } = options;
  panel.title(title).description(description).unit(unit).datasource(datasource);
  panel.span(width).height(height);
  for (const [at, { expr, legend }] of queries.entries()) {
    const query = new DataqueryBuilder().expr(expr).refId(String.fromCharCode(65 + at));
    query.datasource(datasource);
    if (legend !== undefined) query.legendFormat(legend);
    if (shape === 'instant' || shape === 'table') query.instant();
    if (shape === 'table') query.format(PromQueryFormat.Table);
    if (shape === 'heatmap') query.format(PromQueryFormat.Heatmap);
    panel.withTarget(query);
  }
  if (options.min !== undefined) panel.min(options.min);
  if (options.max !== undefined) panel.max(options.max);
  if (options.decimals !== undefined) panel.decimals(options.decimals);
  if (options.noValue !== undefined) panel.noValue(options.noValue);
  if (options.mappings !== undefined) panel.mappings([...options.mappings]);
  if (options.links !== undefined) panel.dataLinks([...options.links]);
  if (options.thresholds !== undefined) {
    const steps = [...options.thresholds];
    panel.thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps));
    panel.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds));
  }
  return panel;
}

const legend = () =>
  new common.VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .showLegend(true);

export const statPanel = ({
  textMode,
  ...options
}: PanelOptions & { readonly textMode?: 'name' }) => {
  const panel = filled(new stat.PanelBuilder(), { height: 4, ...options }, 'instant');
  panel.graphMode(common.BigValueGraphMode.None);
  return textMode === 'name' ? panel.textMode(common.BigValueTextMode.Name) : panel;
};

export const barsPanel = (options: PanelOptions) =>
  filled(
    new bargauge.PanelBuilder().orientation(common.VizOrientation.Horizontal),
    options,
    'instant',
  );

/** Lines; `thresholds` are drawn as dashes. */
export function linesPanel({ thresholds, dashed, ...options }: PanelOptions) {
  const panel = filled(new timeseries.PanelBuilder().legend(legend()), options, 'range');
  panel.showPoints(VisibilityMode.Never).fillOpacity(5).spanNulls(false);
  panel.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassicByName));
  if (dashed !== undefined) {
    panel.overrideByName(dashed, [
      { id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 8] } },
      { id: 'color', value: { mode: FieldColorModeId.Fixed, fixedColor: colours.neutral } },
    ]);
  }
  if (thresholds === undefined) return panel;
  const style = new common.GraphThresholdsStyleConfigBuilder();
  panel.thresholdsStyle(style.mode(common.GraphThresholdsStyleMode.Dashed));
  return panel.thresholds(
    new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([...thresholds]),
  );
}

export const stackedPanel = (options: PanelOptions) =>
  linesPanel(options)
    .fillOpacity(60)
    .stacking(new common.StackingConfigBuilder().mode(StackingMode.Normal));

/**
 * States over time, coloured by their value mappings. The colour mode must be fixed: with thresholds
 * Grafana merges all values of one step and ignores the mappings.
 */
export const statesPanel = ({ thresholds: _, ...options }: PanelOptions) =>
  filled(
    new statetimeline.PanelBuilder()
      .legend(legend())
      .showValue(VisibilityMode.Never)
      .mergeValues(true)
      .perPage(20)
      .colorScheme(
        new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(colours.neutral),
      ),
    options,
    'range',
  );

/** The colour scale goes from dark to light for every kind of eye. */
export const heatmapPanel = (options: PanelOptions) =>
  filled(new heatmap.PanelBuilder(), options, 'heatmap')
    .calculate(false)
    .yAxis(new heatmap.YAxisConfigBuilder().unit(options.unit))
    .color(
      new heatmap.HeatmapColorOptionsBuilder()
        .mode(heatmap.HeatmapColorMode.Scheme)
        .scheme('Viridis')
        .steps(64),
    );

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
  /** The heading to sort by, and whether the greatest comes first. */
  readonly sortBy: readonly [heading: string, order: 'descending' | 'ascending'];
}

/**
 * One row for each set of labels; the queries' values side by side, so all of them must bear the same
 * labels. Text is the panel's unit: with any other one, Grafana formats strings of digits such as
 * identifiers, too.
 */
export function tablePanel({ columns, sortBy, ...options }: TableOptions) {
  const panel = filled(new table.PanelBuilder(), { ...options, unit: 'string' }, 'table');
  panel.cellHeight(common.TableCellHeight.Sm);
  panel.sortBy([
    new common.TableSortByFieldStateBuilder()
      .displayName(sortBy[0])
      .desc(sortBy[1] === 'descending'),
  ]);
  const fields = Object.keys(columns);
  const transformations: DataTransformerConfig[] = [
    ...(options.queries.length > 1 ? [{ id: 'merge', options: {} }] : []),
    { id: 'filterFieldsByName', options: { include: { names: fields } } },
    {
      id: 'organize',
      options: {
        renameByName: Object.fromEntries(
          Object.entries(columns).map(([field, { heading }]) => [field, heading]),
        ),
        indexByName: Object.fromEntries(fields.map((field, at) => [field, at])),
      },
    },
  ];
  for (const transformation of transformations) panel.withTransformation(transformation);
  for (const column of Object.values(columns)) {
    const properties = columnProperties(column);
    if (properties.length > 0) panel.overrideByName(column.heading, properties);
  }
  return panel;
}

function columnProperties(column: Column) {
  const { unit, decimals, width, mappings, thresholds, hidden, links } = column;
  return [
    ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
    ...(decimals === undefined ? [] : [{ id: 'decimals', value: decimals }]),
    ...(width === undefined ? [] : [{ id: 'custom.width', value: width }]),
    ...(mappings === undefined ? [] : [{ id: 'mappings', value: mappings }]),
    ...(thresholds === undefined
      ? []
      : [
          { id: 'thresholds', value: { mode: ThresholdsMode.Absolute, steps: thresholds } },
          { id: 'color', value: { mode: FieldColorModeId.Thresholds } },
          { id: 'custom.cellOptions', value: { type: common.TableCellDisplayMode.ColorText } },
        ]),
    ...(hidden ? [{ id: 'custom.hidden', value: true }] : []),
    ...(links === undefined ? [] : [{ id: 'links', value: links.map((link) => link.build()) }]),
  ];
}

/**
 * Opens another dashboard with the same choices and time; `choices` replace those of their variables.
 */
export function linkTo(
  title: string,
  uid: string,
  ...choices: readonly string[]
): Builder<DashboardLink> {
  const replaced = new Set(choices.map((choice) => choice.slice(0, choice.indexOf('='))));
  const kept = ['datasource', 'job', 'instance', 'account']
    .filter((name) => !replaced.has(`var-${name}`))
    .map((name) => reference(`${name}:queryparam`));
  return new DashboardLinkBuilder(title).url(
    `/d/${uid}?${[...kept, ...choices, reference('__url_time_range')].join('&')}`,
  );
}
