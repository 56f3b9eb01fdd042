import type { Stage } from './watched-checks.ts';

/** What the process that is measured can be told to do; it answers each with a `Report`. */
export type Order =
  | { readonly order: 'open'; readonly path: string }
  | { readonly order: 'refresh'; readonly files: readonly string[]; readonly minute: number }
  | { readonly order: 'book results' }
  | { readonly order: 'restore' }
  | { readonly order: 'serve exporter' }
  | { readonly order: 'serve prom-client' }
  | { readonly order: 'serve bytes'; readonly plain: string; readonly gzip: string }
  | { readonly order: 'start measuring' }
  | { readonly order: 'stop measuring' };

export interface Report {
  /** Of the whole process, its threads included. */
  readonly cpuMilliseconds?: number;
  readonly longestBlockMilliseconds?: number;
  readonly rssMegabytes?: number;
  readonly peakRssMegabytes?: number;
  readonly stages?: { readonly [S in Stage]?: number };
  readonly parseMilliseconds?: number;
  readonly bodyBytes?: number;
  readonly renderedBytes?: number;
  readonly pageBytes?: number;
  readonly gzipBytes?: number;
  readonly series?: number;
  readonly port?: number;
}
