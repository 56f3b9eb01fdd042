import type { LogFormat, LogLevel } from '../lib/log.ts';

/** How metrics are served and logged; one source of the defaults for the file and the flags. */
export interface Serving {
  readonly listenAddress: string;
  readonly telemetryPath: string;
  readonly maxRequests: number;
  /** TLS, users and headers, in the format of the Prometheus exporter toolkit. */
  readonly webConfigFile?: string;
  readonly storagePath: string;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

export const defaultServing: Serving = {
  listenAddress: ':9158',
  telemetryPath: '/metrics',
  maxRequests: 40,
  storagePath: './data',
  logLevel: 'info',
  logFormat: 'logfmt',
};

/** What is wrong with the path of the metrics; undefined when nothing is. */
export function telemetryPathProblem(path: string): string | undefined {
  if (!/^\/[^\s?#]*$/.test(path)) return 'It begins with a slash and has no query.';
  if (path.startsWith('/-/')) return 'Paths below /-/ are those of the health checks.';
  return undefined;
}
