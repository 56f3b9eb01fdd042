import type { PageSelection } from './page/selection.ts';

/** The two text formats of the exposition: Prometheus text 0.0.4 and OpenMetrics 1.0.0. */
export const formats = ['text', 'openmetrics'] as const;
export type Format = (typeof formats)[number];

export const contentTypes: { readonly [F in Format]: string } = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

export type Encoding = 'identity' | 'gzip';

/** The selected part of an exposition. */
export interface Exposed {
  /** The total of all chunks. */
  readonly byteLength: number;
  /** The chunks in the order in which they are written. They can be read only once. */
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export function exposedBytes(chunks: readonly Uint8Array[]): Exposed {
  return { byteLength: chunks.reduce((sum, { length }) => sum + length, 0), chunks };
}

/** The source of `/metrics`. Rejects with a `SelectionError` for an unknown part. */
export interface MetricsSource {
  read(format: Format, encoding: Encoding, selection?: PageSelection): Promise<Exposed>;
}
