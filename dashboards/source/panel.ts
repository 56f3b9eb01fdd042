import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import {
  LegendDisplayMode,
  LegendPlacement,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type DashboardLink,
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  type Panel,
  SpecialValueMatch,
  type Threshold,
  type ThresholdsConfig,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as statushistory from '@grafana/grafana-foundation-sdk/statushistory';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { colours, nothing } from './colours.ts';
import { datasource } from './variables.ts';

export interface Query {
  readonly expr: string;
  readonly legend?: string;
  /** The colour of a single value or a line. */
  readonly color?: string;
  readonly unit?: string;
  readonly decimals?: number;
  readonly thresholds?: readonly Threshold[];
  readonly mappings?: readonly ValueMapping[];
  readonly stroke?: 'solid' | 'dash' | 'dot';
  readonly links?: readonly Builder<DashboardLink>[];
}

export interface PanelOptions {
  readonly title: string;
  readonly description: string;
  /** A unit of Grafana: `s`, `percentunit`, `short`, `none`, … */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** Width in columns, of 24. */
  readonly width: number;
  readonly height?: number;
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
  readonly thresholds?: readonly Threshold[];
  readonly mappings?: readonly ValueMapping[];
  readonly links?: readonly Builder<DashboardLink>[];
  /** The text that is shown without data, if it is always the same. */
  readonly noValue?: string;
  /** A fixed time range, such as `30d`, instead of the chosen one. */
  readonly timeFrom?: string;
  /** The minimum step, such as `2h`, if a point per pixel would cost too much. */
  readonly interval?: string;
  /** The maximum number of points, regardless of the width of the panel. */
  readonly points?: number;
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
  timeFrom(from: string): this;
  interval(interval: string): this;
  maxDataPoints(points: number): this;
}

/**
 * A month of hourly rates needs this many points; with fewer, Grafana would skip values between two
 * points.
 */
export const hourly = 1000;

/** The refId of the query at this position: A, B, … */
export const refIdAt = (at: number) => String.fromCharCode(65 + at);

type Shape = 'range' | 'instant' | 'table';

export function filled<B extends AnyPanel>(panel: B, options: PanelOptions, shape: Shape): B {
  const { title, description, unit, queries, width, height = 8 } = options;
  panel.title(title).description(description).unit(unit).datasource(datasource);
  panel.span(width).height(height);
  for (const [at, { expr, legend }] of queries.entries()) {
    const query = new DataqueryBuilder().expr(expr).refId(refIdAt(at));
    query.datasource(datasource);
    if (legend !== undefined) query.legendFormat(legend);
    if (shape === 'instant' || shape === 'table') query.instant();
    if (shape === 'table') query.format(PromQueryFormat.Table);
    panel.withTarget(query);
  }
  if (options.min !== undefined) panel.min(options.min);
  if (options.max !== undefined) panel.max(options.max);
  if (options.decimals !== undefined) panel.decimals(options.decimals);
  if (options.noValue !== undefined) panel.noValue(options.noValue);
  if (options.timeFrom !== undefined) panel.timeFrom(options.timeFrom);
  if (options.interval !== undefined) panel.interval(options.interval);
  if (options.points !== undefined) panel.maxDataPoints(options.points);
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

const noLegend = () => new common.VizLegendOptionsBuilder().showLegend(false);

const absolute = (steps: readonly Threshold[]) => ({
  mode: ThresholdsMode.Absolute,
  steps: [...steps],
});

/** Shows a text instead of a missing value, in grey, so that it does not look like a value. */
function absent(text: string): ValueMapping {
  const result = { text, color: colours.neutral, index: 9 };
  return {
    type: MappingType.SpecialValue,
    options: { match: SpecialValueMatch.NullAndNan, result },
  };
}

function statPanel({ noValue = nothing, mappings = [], ...options }: PanelOptions) {
  const shown = { height: 4, ...options, noValue, mappings: [...mappings, absent(noValue)] };
  const panel = filled(new stat.PanelBuilder(), shown, 'instant');
  panel.graphMode(common.BigValueGraphMode.None);
  return panel;
}

/** Several single values in one panel, each below its full name, which a panel title would cut. */
export function figuresPanel(options: PanelOptions) {
  const panel = statPanel({ thresholds: [{ value: null, color: colours.good }], ...options });
  panel
    .textMode(common.BigValueTextMode.ValueAndName)
    .wideLayout(false)
    .text(new common.VizTextDisplayOptionsBuilder().titleSize(13));
  for (const [at, query] of options.queries.entries()) {
    const { thresholds, links, unit, decimals, mappings } = query;
    panel.overrideByQuery(refIdAt(at), [
      ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
      ...(decimals === undefined ? [] : [{ id: 'decimals', value: decimals }]),
      ...(mappings === undefined ? [] : [{ id: 'mappings', value: mappings }]),
      ...(thresholds === undefined ? [] : [{ id: 'thresholds', value: absolute(thresholds) }]),
      ...(links === undefined ? [] : [{ id: 'links', value: links.map((link) => link.build()) }]),
    ]);
  }
  return panel;
}

const dashes = { dash: [10, 6], dot: [2, 6] } as const;

/** Bars, one for each step. */
export function barsPanel(options: PanelOptions) {
  const panel = linesPanel(options);
  return panel.drawStyle(common.GraphDrawStyle.Bars).fillOpacity(80).lineWidth(1);
}

/** Lines; `thresholds` are drawn as dashes. */
export function linesPanel({ thresholds, ...options }: PanelOptions) {
  const shown = { noValue: nothing, ...options };
  const panel = filled(new timeseries.PanelBuilder().legend(legend()), shown, 'range');
  // A series with one sample, or with gaps, is drawn as points, because a line needs two samples.
  panel.showPoints(VisibilityMode.Auto).lineWidth(2).fillOpacity(0).spanNulls(false);
  panel.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic));
  for (const [at, { color, stroke }] of options.queries.entries()) {
    if (color === undefined && stroke === undefined) continue;
    const mode = FieldColorModeId.Fixed;
    panel.overrideByQuery(refIdAt(at), [
      ...(color === undefined ? [] : [{ id: 'color', value: { mode, fixedColor: color } }]),
      ...(stroke === undefined || stroke === 'solid'
        ? []
        : [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: dashes[stroke] } }]),
    ]);
  }
  if (thresholds === undefined) return panel;
  const style = new common.GraphThresholdsStyleConfigBuilder();
  panel.thresholdsStyle(style.mode(common.GraphThresholdsStyleMode.Dashed));
  return panel.thresholds(
    new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([...thresholds]),
  );
}

/** Overrides with the mappings and links of single queries. */
function ofEachQuery(
  panel: { overrideByQuery(refId: string, properties: { id: string; value: unknown }[]): unknown },
  { queries }: Pick<PanelOptions, 'queries'>,
): void {
  for (const [at, { mappings, links }] of queries.entries()) {
    const properties = [
      ...(mappings === undefined ? [] : [{ id: 'mappings', value: mappings }]),
      ...(links === undefined ? [] : [{ id: 'links', value: links.map((link) => link.build()) }]),
    ];
    if (properties.length > 0) panel.overrideByQuery(refIdAt(at), properties);
  }
}

/**
 * States over time, coloured by their value mappings. The colour mode must be fixed: with
 * thresholds, Grafana merges all values of one step and ignores the mappings. The legend names the
 * states, because Grafana cuts texts in strips to the letters that fit. There is no text for
 * missing values, because the legend would show it as a state. Grafana cannot show our text in a
 * panel without data, so one of the queries always has a series.
 */
export function statesPanel({
  perPage,
  ...options
}: Omit<PanelOptions, 'noValue' | 'thresholds' | 'mappings' | 'links'> & {
  readonly perPage?: number;
}): Builder<Panel> {
  const panel = filled(
    new statetimeline.PanelBuilder()
      .legend(legend())
      .showValue(VisibilityMode.Never)
      .mergeValues(true)
      .colorScheme(
        new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(colours.neutral),
      ),
    options,
    'range',
  );
  ofEachQuery(panel, options);
  if (perPage !== undefined) return panel.perPage(perPage);
  // 0 removes the pager; the builder does not accept it.
  return { build: () => ({ ...panel.build(), options: { ...panel.build().options, perPage: 0 } }) };
}

/**
 * One cell per day of the last 30, coloured by its thresholds. A cell is too narrow for its value,
 * which appears under the pointer.
 */
export function calendarPanel(options: Omit<PanelOptions, 'noValue'>) {
  const panel = filled(
    new statushistory.PanelBuilder()
      .legend(noLegend())
      .showValue(VisibilityMode.Never)
      .rowHeight(0.9),
    { timeFrom: '30d', interval: '1d', ...options },
    'range',
  );
  ofEachQuery(panel, options);
  return panel;
}
