import type { PageSelection } from './page/selection.ts';

/** The two text formats of the exposition: Prometheus text 0.0.4 and OpenMetrics 1.0.0. */
export const formats = ['text', 'openmetrics'] as const;
export type Format = (typeof formats)[number];

export const contentTypes: { readonly [F in Format]: string } = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

export const encodings = ['identity', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** An exposition, complete but for what was not selected. */
export interface Exposed {
  /** Of all chunks together. */
  readonly byteLength: number;
  /** To be written one after the other; read once. */
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** What `/metrics` serves. Rejects with a `SelectionError` when the selection names what there is not. */
export interface MetricsSource {
  read(format: Format, encoding: Encoding, selection?: PageSelection): Promise<Exposed>;
}
