import type { Block } from './block.ts';
import type { Encoding, Format } from './format.ts';

/** One family of a page: its metadata in each format and its samples, which the formats share. */
export interface FamilyBlocks {
  readonly header: { readonly [F in Format]: Block };
  readonly samples: readonly Block[];
}

type ByFormat<T> = { readonly [F in Format]: { readonly [E in Encoding]: T } };

/** The data of all accounts at one moment as prepared bytes; immutable. */
export class Page {
  readonly series: number;
  /** Size in the text format. */
  readonly bytes: { readonly [E in Encoding]: number };
  /** How long the rendering took. */
  readonly renderSeconds: number;
  readonly #chunks: ByFormat<readonly Uint8Array[]>;

  constructor(families: readonly FamilyBlocks[], renderSeconds: number) {
    const collect = (format: Format, encoding: Encoding) =>
      families.flatMap(({ header, samples }) =>
        [header[format], ...samples].map(({ bytes }) => bytes[encoding]),
      );
    this.#chunks = mapFormats(collect);
    this.series = sum(families.flatMap(({ samples }) => samples.map(({ series }) => series)));
    this.bytes = {
      identity: sum(this.#chunks.text.identity.map(({ length }) => length)),
      gzip: sum(this.#chunks.text.gzip.map(({ length }) => length)),
    };
    this.renderSeconds = renderSeconds;
  }

  /** The page without the end marker of OpenMetrics, since the exporter's own metrics follow it. */
  chunks(format: Format, encoding: Encoding): readonly Uint8Array[] {
    return this.#chunks[format][encoding];
  }
}

function mapFormats<T>(value: (format: Format, encoding: Encoding) => T): ByFormat<T> {
  const of = (format: Format) => ({
    identity: value(format, 'identity'),
    gzip: value(format, 'gzip'),
  });
  return { text: of('text'), openmetrics: of('openmetrics') };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
