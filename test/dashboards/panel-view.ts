import { z } from 'zod';
import {
  type Field,
  type FieldConfigSource,
  type Frame,
  fieldOptions,
  type Grafana,
  type ReplaceVariables,
  type Shown,
} from './grafana.ts';
import { type PrometheusSource, type Query, rateSeconds, stepOf } from './prometheus-source.ts';
import type { Choices, Range } from './variables.ts';

const target = z.looseObject({
  refId: z.string(),
  expr: z.string(),
  instant: z.boolean().optional(),
  format: z.string().optional(),
  legendFormat: z.string().optional(),
});
const override = z.looseObject({
  properties: z.array(z.looseObject({ id: z.string(), value: z.unknown() })),
});
export const panelSchema = z.looseObject({
  title: z.string(),
  type: z.string(),
  /** The shortest time between two points. */
  interval: z.string().optional(),
  /** Shown for any selected time. */
  timeFrom: z.string().optional(),
  targets: z.array(target),
  transformations: z.array(z.looseObject({ id: z.string() })).default([]),
  fieldConfig: z.object({
    defaults: z.looseObject({ noValue: z.string().optional() }),
    overrides: z.array(override),
  }),
  options: z
    .looseObject({
      reduceOptions: z.looseObject({}).optional(),
      mergeValues: z.boolean().optional(),
      showValue: z.string().optional(),
      legend: z.looseObject({ showLegend: z.boolean() }).optional(),
      textMode: z.string().optional(),
      sortBy: z.array(z.object({ displayName: z.string(), desc: z.boolean() })).optional(),
    })
    .default({}),
});
export type PanelJson = z.infer<typeof panelSchema>;

/** A value as it is shown. */
export interface Seen {
  readonly text: string;
  readonly color: string | undefined;
  /** The number that the text stands for. */
  readonly value: number;
  readonly links: readonly string[];
}

export interface Line {
  readonly name: string;
  /** UNIX milliseconds and values, without missing ones. */
  readonly points: readonly (readonly [number, number])[];
  readonly last: Seen | undefined;
}

export interface Strip {
  readonly name: string;
  readonly links: readonly string[];
  readonly spans: readonly {
    readonly from: number;
    readonly to: number;
    readonly text: string;
    readonly color: string | undefined;
  }[];
}

/** The content of a panel. Only the fields of its kind are filled. */
export interface PanelView {
  /** The text that is shown if there are no data. */
  readonly empty: string | undefined;
  /** The figures of a stat or a bar gauge, keyed by name, in their order. */
  readonly figures: readonly (Seen & { readonly name: string })[];
  /**
   * The columns of a table, keyed by heading, including hidden ones. Values are in the order of the
   * rows.
   */
  readonly rows: readonly Readonly<Record<string, Seen>>[];
  readonly headings: readonly string[];
  readonly lines: readonly Line[];
  readonly strips: readonly Strip[];
  /** The states that the legend of strips names. */
  readonly legend: readonly string[];
}

export interface Reader {
  readonly grafana: Grafana;
  readonly source: PrometheusSource;
  readonly choices: Choices;
  /** UNIX milliseconds. */
  readonly range: Range;
  readonly scrapeSeconds: number;
  readonly theme?: 'light' | 'dark';
}

/** The approximate width of a panel in pixels. */
const mostPoints = 1000;
/** The defaults of a panel type, from its plug-in. */
const defaultReduction = { values: false, calcs: ['lastNotNull'] };

/** The visible content of a panel. */
export async function viewOf(panel: PanelJson, opened: Reader): Promise<PanelView> {
  const { grafana, source } = opened;
  const range = rangeOf(panel, opened);
  const reader = { ...opened, range };
  const span = { ...range, stepSeconds: stepOfPanel(panel, reader) };
  const queries = panel.targets.map((one) => filledQuery(one, reader, span.stepSeconds));
  const fetched = await source.frames(queries, span);
  const frames = await transformed(grafana, panel.transformations, fetched);
  const replace = replacer(reader);
  const theme = grafana.createTheme({ colors: { mode: reader.theme ?? 'dark' } });
  const fieldConfig: FieldConfigSource = panel.fieldConfig;
  const context = { fieldConfig, replaceVariables: replace, theme, timeZone: 'utc' };
  const data = grafana.applyFieldOverrides({
    ...context,
    data: frames,
    fieldConfigRegistry: fieldOptions(grafana, fieldConfig),
  });
  const isEmpty = data.every(({ length }) => length === 0);
  const noValue = panel.fieldConfig.defaults.noValue ?? 'No data';
  const nothing = { figures: [], rows: [], headings: [], lines: [], strips: [], legend: [] };
  const view = { ...nothing, empty: isEmpty ? noValue : undefined };
  if (panel.type === 'stat' || panel.type === 'bargauge') {
    const reduceOptions = { ...defaultReduction, ...panel.options.reduceOptions };
    const shown = grafana.getFieldDisplayValues({ ...context, data, reduceOptions });
    const figures = shown.map(({ display, hasLinks, getLinks }) => ({
      ...seen(grafana, display),
      name: display.title ?? '',
      links: hasLinks ? (getLinks?.() ?? []).map(({ href }) => href) : [],
    }));
    return { ...view, figures };
  }
  if (panel.type === 'table') return { ...view, ...tableOf(grafana, panel, data) };
  if (panel.type === 'state-timeline' || panel.type === 'status-history') {
    const strips = data.flatMap((frame) => stripsOf(grafana, panel, frame, data, span.stepSeconds));
    // Grafana has no configurable text here.
    const none = 'Data does not have a time field';
    const legend = panel.options.legend?.showLegend === true ? legendOf(data) : [];
    return { ...view, strips, legend, empty: strips.length === 0 ? none : undefined };
  }
  const lines = data.flatMap((frame) => linesOf(grafana, frame, data));
  return { ...view, lines };
}

/**
 * The time range of a panel: the last days or hours of the selected time, if it has its own range.
 */
export function rangeOf({ timeFrom }: PanelJson, { range }: Pick<Reader, 'range'>): Range {
  return timeFrom === undefined
    ? range
    : { from: range.to - 1000 * secondsOf(timeFrom), to: range.to };
}

/** The time between two points of a panel, in seconds. */
export function stepOfPanel(
  { interval }: PanelJson,
  { grafana, range, scrapeSeconds }: Pick<Reader, 'grafana' | 'range' | 'scrapeSeconds'>,
): number {
  const least = interval === undefined ? scrapeSeconds : secondsOf(interval);
  return stepOf(grafana, range, mostPoints, least);
}

/** Reads `30d`, `2h`, `30m` or `30s`. */
function secondsOf(length: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(length) ?? [];
  const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[unit];
  if (seconds === undefined) throw new Error(`no length of time: ${length}`);
  return Number(count) * seconds;
}

const dollar = (name: string) => `\${${name}}`;

/** A query of a panel with all variables replaced. */
export function filledQuery(
  one: z.infer<typeof target>,
  reader: Pick<Reader, 'choices' | 'range' | 'scrapeSeconds'>,
  stepSeconds: number,
): Query {
  const { from, to } = reader.range;
  const atEnd = one.expr.replaceAll(dollar('__to:date:seconds'), `${Math.floor(to / 1000)}`);
  const expr = reader.choices.inQuery(atEnd, {
    __from: `${from}`,
    __to: `${to}`,
    __range: `${Math.round((to - from) / 1000)}s`,
    __range_s: `${Math.round((to - from) / 1000)}`,
    __interval: `${stepSeconds}s`,
    __interval_ms: `${stepSeconds * 1000}`,
    __rate_interval: `${rateSeconds(stepSeconds, reader.scrapeSeconds)}s`,
  });
  const { refId, instant = false, format = 'time_series', legendFormat: legend = '' } = one;
  return { refId, expr, instant, format, legend };
}

async function transformed(
  { transformDataFrame }: Grafana,
  transformations: readonly unknown[],
  frames: readonly Frame[],
): Promise<readonly Frame[]> {
  if (transformations.length === 0 || frames.length === 0) return frames;
  return new Promise((next, error) => {
    transformDataFrame(transformations, frames).subscribe({ next, error });
  });
}

function seen({ formattedValueToString }: Grafana, shown: Shown, links: readonly string[] = []) {
  const text = formattedValueToString(shown);
  return { text, color: shown.color?.toLowerCase(), value: shown.numeric, links };
}

const linksOf = (field: Field, row: number) =>
  (field.getLinks?.({ valueRowIndex: row }) ?? []).map(({ href }) => href);

function tableOf(grafana: Grafana, { options }: PanelJson, [frame]: readonly Frame[]) {
  if (frame === undefined) return { rows: [], headings: [] };
  const name = (field: Field) => grafana.getFieldDisplayName(field, frame, [frame]);
  const shown = frame.fields.filter(({ config }) => config.custom?.hidden !== true);
  const order = Array.from({ length: frame.length }, (_, row) => row);
  const keys = (options.sortBy ?? []).flatMap(({ displayName, desc }) => {
    const key = frame.fields.find((field) => name(field) === displayName);
    return key === undefined ? [] : [{ key, sign: desc ? -1 : 1 }];
  });
  order.sort((a, b) => {
    const sorted = keys.map(({ key, sign }) => sign * compare(key.values[a], key.values[b]));
    return sorted.find((difference) => difference !== 0) ?? 0;
  });
  const rows = order.map((row) =>
    Object.fromEntries(
      frame.fields.map((field) => {
        const { display = notShown } = field;
        return [name(field), seen(grafana, display(field.values[row]), linksOf(field, row))];
      }),
    ),
  );
  return { rows, headings: shown.map(name) };
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  // Grafana sorts a cell without a value as the lowest one.
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : -1;
  if (b === undefined || b === null) return 1;
  return String(a).localeCompare(String(b));
}

function notShown(): Shown {
  return { text: '', numeric: Number.NaN };
}

function linesOf(grafana: Grafana, frame: Frame, frames: readonly Frame[]): Line[] {
  const [time, ...others] = frame.fields;
  return others.map((field) => {
    const points = field.values.flatMap((value, row): (readonly [number, number])[] => {
      const at = time?.values[row];
      return typeof value === 'number' && typeof at === 'number' && !Number.isNaN(value)
        ? [[at, value]]
        : [];
    });
    const last = points.at(-1);
    const { display = notShown } = field;
    return {
      name: grafana.getFieldDisplayName(field, frame, frames),
      points,
      last: last && seen(grafana, display(last[1]), linksOf(field, field.values.length - 1)),
    };
  });
}

/**
 * Draws like the state timeline: neighbours with the same text are one span, and a gap is longer
 * than a step. With the colour mode "thresholds", all values of a step are the same, and the
 * mappings are ignored.
 */
function stripsOf(
  grafana: Grafana,
  { type, options }: PanelJson,
  frame: Frame,
  frames: readonly Frame[],
  stepSeconds: number,
): Strip[] {
  const [time, ...others] = frame.fields;
  return others.map((field) => {
    const spans: { from: number; to: number; text: string; color: string | undefined }[] = [];
    const { display = notShown, config } = field;
    const isMerged =
      type === 'state-timeline' &&
      options.mergeValues !== false &&
      config.color?.mode === 'thresholds';
    for (const [row, value] of field.values.entries()) {
      const at = time?.values[row];
      if (typeof value !== 'number' || typeof at !== 'number') continue;
      const step = grafana.getActiveThreshold(value, config.thresholds?.steps ?? []);
      const { text, color } = isMerged
        ? { text: `${step.value}+`, color: step.color.toLowerCase() }
        : seen(grafana, display(value));
      const before = spans.at(-1);
      const isOngoing = before?.text === text && at <= before.to;
      if (isOngoing) before.to = at + stepSeconds * 1000;
      else spans.push({ from: at, to: at + stepSeconds * 1000, text, color });
    }
    const name = grafana.getFieldDisplayName(field, frame, frames);
    return { name, spans, links: linksOf(field, 0) };
  });
}

/**
 * The texts that the state timeline makes of all values, including missing ones, unless they are
 * empty.
 */
function legendOf(frames: readonly Frame[]): string[] {
  const texts = frames.flatMap(({ fields: [, ...others] }) =>
    others.flatMap(({ display = notShown, values }) =>
      [...values, null, undefined].map((value) => display(value).text),
    ),
  );
  return [...new Set(texts)].filter((text) => text !== '');
}

/**
 * The text that Grafana inserts into links: variables, labels of the series and fields of the row,
 * as they are shown.
 */
function replacer({ choices, grafana, range }: Reader): ReplaceVariables {
  return (text, scoped) => {
    const context = scoped?.__dataContext?.value;
    const withData = text.replaceAll(
      /\$\{__(data\.fields|field\.labels)(?:\.(\w+)|\["([^"]+)"\])(?::(\w+))?\}/g,
      (_, of: string, plain: string, quoted: string, format = '') => {
        if (context === undefined) return '';
        const name = plain ?? quoted;
        const { frame, field, rowIndex = 0 } = context;
        const fields = grafana.getFieldDisplayValuesProxy({ frame, rowIndex, timeZone: 'utc' });
        const value =
          of === 'field.labels' ? (field.labels?.[name] ?? '') : String(fields[name] ?? '');
        return format === 'percentencode' ? encodeURIComponent(value) : value;
      },
    );
    const { from, to } = range;
    return choices.inText(withData, { __url_time_range: `from=${from}&to=${to}` });
  };
}
