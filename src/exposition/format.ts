/** The two text formats of the exposition: Prometheus text 0.0.4 and OpenMetrics 1.0.0. */
export const formats = ['text', 'openmetrics'] as const;
export type Format = (typeof formats)[number];

export const contentTypes: { readonly [F in Format]: string } = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

export const encodings = ['identity', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** What `/metrics` serves: a complete exposition as prepared chunks, to be written one after the other. */
export interface MetricsSource {
  read(format: Format, encoding: Encoding): Promise<readonly Uint8Array[]>;
}
