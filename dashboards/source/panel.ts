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

export const statPanel = (options: PanelOptions) =>
  filled(new stat.PanelBuilder(), { height: 4, ...options }, 'instant');

export const barsPanel = (options: PanelOptions) =>
  filled(
    new bargauge.PanelBuilder().orientation(common.VizOrientation.Horizontal),
    options,
    'instant',
  );

/** Lines; `thresholds` are drawn as dashes. */
export function linesPanel({ thresholds, ...options }: PanelOptions) {
  const panel = filled(new timeseries.PanelBuilder().legend(legend()), options, 'range');
  panel.showPoints(VisibilityMode.Auto).fillOpacity(5);
  panel.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassicByName));
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

export const statesPanel = (options: PanelOptions) =>
  filled(
    new statetimeline.PanelBuilder()
      .legend(legend())
      .showValue(VisibilityMode.Never)
      .mergeValues(true),
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

export interface TableOptions extends PanelOptions {
  /** The labels to show, with their headings. */
  readonly columns: Readonly<Record<string, string>>;
  /** Headings of the values of the queries, in their order. */
  readonly values: readonly string[];
  /** Units by heading, where they are not that of the panel. */
  readonly units?: Readonly<Record<string, string>>;
}

/** One row for each set of labels; the queries' values side by side. */
export function tablePanel({ columns, values, units = {}, ...options }: TableOptions) {
  const panel = filled(new table.PanelBuilder(), options, 'table').filterable(true);
  const valueField = (at: number) =>
    options.queries.length === 1 ? 'Value' : `Value #${String.fromCharCode(65 + at)}`;
  const names = {
    ...columns,
    ...Object.fromEntries(values.map((name, at) => [valueField(at), name])),
  };
  const transformations: DataTransformerConfig[] = [
    ...(options.queries.length > 1 ? [{ id: 'merge', options: {} }] : []),
    { id: 'filterFieldsByName', options: { include: { names: Object.keys(names) } } },
    {
      id: 'organize',
      options: {
        renameByName: names,
        indexByName: Object.fromEntries(Object.keys(names).map((name, at) => [name, at])),
      },
    },
  ];
  for (const transformation of transformations) panel.withTransformation(transformation);
  for (const [heading, unit] of Object.entries(units)) {
    panel.overrideByName(heading, [{ id: 'unit', value: unit }]);
  }
  return panel;
}

/** Opens another dashboard with the same choices; `choice` sets further variables. */
export function linkTo(title: string, uid: string, choice = ''): Builder<DashboardLink> {
  const kept = ['datasource', 'job', 'instance', 'account'].map((name) =>
    reference(`${name}:queryparam`),
  );
  return new DashboardLinkBuilder(title).url(
    `/d/${uid}?${[...kept, choice, reference('__url_time_range')].filter((part) => part !== '').join('&')}`,
  );
}
