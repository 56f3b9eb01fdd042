import { request } from 'undici';
import { z } from 'zod';
import type { Field, Frame, Grafana } from './grafana.ts';

const labels = z.record(z.string(), z.string());
const point = z.tuple([z.number(), z.string()]);
const vector = z.object({
  data: z.object({ result: z.array(z.object({ metric: labels, value: point })) }),
});
const matrix = z.object({
  data: z.object({ result: z.array(z.object({ metric: labels, values: z.array(point) })) }),
});
export type VectorSample = z.infer<typeof vector>['data']['result'][number];

/** A query of a panel whose variables are replaced. */
export interface Query {
  readonly refId: string;
  readonly expr: string;
  readonly instant: boolean;
  readonly format: string;
  readonly legend: string;
}

/** UNIX milliseconds, except for the step in seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly stepSeconds: number;
}

/** A Prometheus server, queried like Grafana's data source does it. */
export class PrometheusSource {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async instant(expression: string, milliseconds: number): Promise<VectorSample[]> {
    const parameters = { query: expression, time: `${milliseconds / 1000}` };
    return vector.parse(await this.#ask('query', parameters)).data.result;
  }

  /** The frames of a panel's queries in the form that the data source returns to Grafana. */
  async frames(queries: readonly Query[], span: Span): Promise<Frame[]> {
    const found = await Promise.all(queries.map((query) => this.#series(query, span)));
    const isTable = ({ format }: Query) => format === 'table';
    const tables = queries.filter(isTable).length;
    return queries.flatMap((query, at) => {
      const series = found[at] ?? [];
      if (query.format === 'heatmap') return heatmapOf(series);
      if (!isTable(query) || series.length === 0) return series;
      return [tableOf(series, tables > 1 ? `Value #${query.refId}` : 'Value')];
    });
  }

  async #series(query: Query, { from, to, stepSeconds }: Span): Promise<Frame[]> {
    if (query.instant) {
      const samples = await this.instant(query.expr, to);
      return samples.map(({ metric, value }) => frameOf(query, metric, [value], stepSeconds));
    }
    const aligned = (time: number) => Math.floor(time / 1000 / stepSeconds) * stepSeconds;
    const parameters = {
      query: query.expr,
      start: `${aligned(from)}`,
      end: `${aligned(to)}`,
      step: `${stepSeconds}`,
    };
    const { result } = matrix.parse(await this.#ask('query_range', parameters)).data;
    return result.map(({ metric, values }) => frameOf(query, metric, values, stepSeconds));
  }

  async #ask(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
    const { statusCode, body } = await request(`http://${this.#address}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(parameters).toString(),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${text} for ${parameters.query}`);
    return JSON.parse(text);
  }
}

function frameOf(
  { refId, legend }: Query,
  metric: Readonly<Record<string, string>>,
  points: readonly (readonly [number, string])[],
  stepSeconds: number,
): Frame {
  const { __name__, ...others } = metric;
  const written = Object.entries(others).map(([name, text]) => `${name}="${text}"`);
  const name =
    legend === ''
      ? `${__name__ ?? ''}{${written.join(', ')}}`
      : legend.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label: string) => metric[label] ?? '');
  const number = (text: string) => Number(text.replace('Inf', 'Infinity'));
  const time: Field = {
    name: 'Time',
    type: 'time',
    config: { interval: stepSeconds * 1000 },
    values: points.map(([seconds]) => seconds * 1000),
  };
  const value: Field = {
    name: __name__ ?? 'Value',
    type: 'number',
    config: { displayNameFromDS: name },
    labels: metric,
    values: points.map(([, text]) => number(text)),
  };
  return { refId, name, length: points.length, fields: [time, value] };
}

/** One row for each sample, and one column for each label. */
function tableOf(frames: readonly Frame[], valueName: string): Frame {
  const rows = frames.flatMap(({ fields: [time, value] }) => {
    const row = { time: time?.values[0], value: value?.values[0], labels: value?.labels ?? {} };
    return [row];
  });
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.labels).sort()))];
  const fields: Field[] = [
    { name: 'Time', type: 'time', config: {}, values: rows.map(({ time }) => time) },
    ...names.map((name): Field => {
      const values = rows.map((row) => row.labels[name] ?? '');
      return { name, type: 'string', config: {}, values };
    }),
    { name: valueName, type: 'number', config: {}, values: rows.map(({ value }) => value) },
  ];
  return { refId: frames[0]?.refId ?? 'A', length: rows.length, fields };
}

/** The buckets in the order of their bounds, converted from cumulative counts. */
function heatmapOf(frames: readonly Frame[]): Frame[] {
  const limitOf = ({ fields: [, value] }: Frame) =>
    Number((value?.labels?.le ?? '').replace('+Inf', 'Infinity'));
  const sorted = frames.toSorted((a, b) => limitOf(a) - limitOf(b));
  return sorted.map((frame, at) => {
    const [time, value] = frame.fields;
    const below = sorted[at - 1]?.fields[1];
    if (time === undefined || value === undefined) return frame;
    const values = value.values.map((count, row) =>
      Math.max(0, Number(count) - Number(below?.values[row] ?? 0)),
    );
    const name = value.labels?.le ?? '';
    return { ...frame, name, fields: [time, { ...value, values }] };
  });
}

/** Grafana's step of a range query: at most this many points, and no finer than the data. */
export function stepOf(
  { rangeUtil }: Grafana,
  range: { readonly from: number; readonly to: number },
  points: number,
  leastSeconds: number,
): number {
  const rounded = rangeUtil.roundInterval((range.to - range.from) / points);
  return Math.max(leastSeconds, Math.ceil(rounded / 1000));
}

/** The value of `$__rate_interval`. */
export const rateSeconds = (stepSeconds: number, scrapeSeconds: number) =>
  Math.max(stepSeconds + scrapeSeconds, 4 * scrapeSeconds);
