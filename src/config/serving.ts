import type { LogFormat, LogLevel } from '../lib/log.ts';

/** How metrics are served and logged. The file and the flags share these defaults. */
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

/** Why the path is not allowed; undefined when it is. */
export function telemetryPathProblem(path: string): string | undefined {
  if (!/^\/[^\s?#]*$/.test(path)) return 'must begin with a slash and have no query';
  if (path.startsWith('/-/')) return 'paths below /-/ are reserved for health checks';
  return undefined;
}
