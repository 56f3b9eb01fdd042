import type { LogFormat, LogLevel } from '../lib/log.ts';

/** The settings of the whole process: how it listens, stores and logs. */
export interface Serving {
  /** One or more. */
  readonly listenAddresses: readonly string[];
  /** Uses the sockets of systemd instead of the addresses. */
  readonly systemdSocket: boolean;
  /** The prefix of every path; by default the path of the external URL. */
  readonly routePrefix?: string;
  /** The URL under which clients reach the exporter, if it differs from the listen address. */
  readonly externalUrl?: string;
  /** The health checks respond without credentials. */
  readonly unauthenticatedProbes: boolean;
  readonly telemetryPath: string;
  readonly maxRequests: number;
  /** TLS, users and headers, in the format of the Prometheus exporter toolkit. */
  readonly webConfigFile?: string;
  /** The folder of the store, unless it is a database. */
  readonly storagePath: string;
  /** The PostgreSQL database of the store. */
  readonly storageUrl?: string;
  readonly storagePasswordFile?: string;
  /** The certificate of the authority that signed the database server's. */
  readonly storageCaFile?: string;
  /** How long the owner of an account keeps it without a renewal, at least. */
  readonly leaseTtlSeconds: number;
  /** The database loses no acknowledged commit in a failover. */
  readonly synchronousStandby: boolean;
  /** How often the exporter looks for changed files; absent if it reloads only when asked. */
  readonly autoReloadSeconds?: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/** The key of each setting in the file, or the flag of one that the file does not have. */
export const servingKeys: { readonly [K in keyof Serving]-?: string } = {
  listenAddresses: 'web.listen_address',
  systemdSocket: '--web.systemd-socket',
  routePrefix: 'web.route_prefix',
  externalUrl: 'web.external_url',
  unauthenticatedProbes: 'web.unauthenticated_probes',
  telemetryPath: 'web.telemetry_path',
  maxRequests: 'web.max_requests',
  webConfigFile: '--web.config.file',
  storagePath: 'storage.path',
  storageUrl: 'storage.url',
  storagePasswordFile: 'storage.password_file',
  storageCaFile: 'storage.ca_file',
  leaseTtlSeconds: 'storage.lease_ttl',
  synchronousStandby: 'storage.synchronous_standby',
  autoReloadSeconds: '--config.auto-reload-interval',
  logLevel: 'log.level',
  logFormat: 'log.format',
};

/** Shorter leases would be lost whenever a machine is busy for a moment. */
export const leaseTtlLimits = { min: 3, max: 86_400 } as const;

/** For what neither the file nor a flag sets. */
export const defaultServing: Serving = {
  listenAddresses: [':9158'],
  systemdSocket: false,
  unauthenticatedProbes: false,
  telemetryPath: '/metrics',
  maxRequests: 40,
  storagePath: './data',
  leaseTtlSeconds: 30,
  synchronousStandby: false,
  logLevel: 'info',
  logFormat: 'logfmt',
};

/** The exporter's own paths, by use. `test/app/own-paths.test.ts` compares them with the routes. */
const reservedPaths: readonly (readonly [use: string, ...paths: string[]])[] = [
  ['health checks', '/-/'],
  ['public pages', '/status/'],
  ['the webhook', '/hooks/'],
  ['the files of pages', '/assets/', '/favicon.ico'],
  ['the configuration', '/config'],
  ['service discovery', '/sd'],
  ['the status page', '/status.json'],
  ['the pages of groups', '/groups', '/groups/'],
  ['the list of outages', '/outages', '/outages.csv', '/outages.json'],
  [
    'the report',
    ...['/report', '/report.csv', '/report-outages.csv'],
    ...['/report.json', '/report.txt', '/report.html'],
  ],
  ['the page of the request budget', '/budget'],
  ['the runbook', '/runbook'],
  ['the pages of checks', '/accounts/', '/checks/', '/transactions/', '/badge/'],
];

/**
 * Returns the reason for which the path is not allowed; undefined if it is allowed. As in other
 * exporters, the metrics may replace the page at `/`.
 */
export function telemetryPathProblem(path: string): string | undefined {
  if (!/^\/[^\s?#]*$/.test(path)) return 'must begin with a slash and have no query';
  // Clients encode other characters, and resolve dots; paths are compared without decoding.
  if (new URL(`http://localhost${path}`).pathname !== path) {
    return 'must be written as clients send it, such as /metrics';
  }
  for (const [use, ...reserved] of reservedPaths) {
    const at = reserved.find((own) => (own.endsWith('/') ? path.startsWith(own) : path === own));
    if (at !== undefined) {
      const place = at.endsWith('/') ? `paths below ${at} are` : `the path ${at} is`;
      return `${place} reserved for ${use}`;
    }
  }
  return undefined;
}

/**
 * Returns why the settings of file and flags conflict; undefined if they do not. The directory that
 * an image sets (`UPTIME_STORAGE_PATH`) does not conflict with a database.
 */
export function storageProblem(settings: {
  readonly storagePath?: unknown;
  readonly storageUrl?: unknown;
}): string | undefined {
  return settings.storagePath == null || settings.storageUrl == null
    ? undefined
    : 'storage.url is a database instead of the directory storage.path; set one of them, not both';
}

/** Returns the reason for which the prefix is not allowed; undefined if it is allowed. */
export function routePrefixProblem(prefix: string): string | undefined {
  return /^\/?[\w.~-]*(?:\/[\w.~-]+)*\/?$/.test(prefix)
    ? undefined
    : 'must be a path of letters, digits, "-", "_", "." and "~"';
}

/** Returns the reason for which the URL is not allowed; undefined if it is allowed. */
export function externalUrlProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'must be a URL such as https://example.com/uptime/';
  const { protocol, username, password, search, hash, pathname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    return 'must have neither user, query nor fragment';
  }
  return routePrefixProblem(pathname);
}

/** Returns the prefix of every path: empty, or with a slash at the start and none at the end. */
export function effectiveRoutePrefix({
  routePrefix,
  externalUrl,
}: Pick<Serving, 'routePrefix' | 'externalUrl'>): string {
  const written = routePrefix ?? (externalUrl === undefined ? '' : new URL(externalUrl).pathname);
  const path = written.replace(/^\/+|\/+$/g, '');
  return path === '' ? '' : `/${path}`;
}
