import { z } from 'zod';
import type { ServedFamilies } from '../exposition/catalogue/served-families.ts';
import type { CompatOptions } from '../exposition/compat/compat-options.ts';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { databaseUrlProblem } from '../lib/database-address.ts';
import { logFormats, logLevels } from '../lib/log.ts';
import { isTimeZone, timeZonePattern } from '../lib/time-zone.ts';
import type { FlappingLimits } from '../slo/flapping.ts';
import type { SloPolicy } from '../slo/groups.ts';
import { type AccountSettings, accountSchema } from './account.ts';
import { compatSchema } from './compat.ts';
import {
  choiceField,
  durationField,
  formatDuration,
  oneOrMoreField,
  switchField,
  textField,
  wholeNumberField,
} from './fields.ts';
import { flappingLimitsSchema } from './flapping.ts';
import { labelsSchema } from './labels.ts';
import { type LinkSettings, linksSchema } from './links.ts';
import { metricsSchema } from './metrics.ts';
import { groupsSchema, objectivesSchema } from './objectives-schema.ts';
import { type PageSettings, pagesSchema } from './pages.ts';
import {
  defaultServing,
  externalUrlProblem,
  leaseTtlLimits,
  routePrefixProblem,
  type Serving,
  telemetryPathProblem,
} from './serving.ts';

/** The contents of a configuration file. */
export interface Configuration {
  /** Only what the file sets. Flags override it, and defaults fill in the rest. */
  readonly serving: Partial<Serving>;
  readonly labels: LabelPolicy;
  /** The families of `/metrics`. */
  readonly served: ServedFamilies;
  readonly slo: SloPolicy;
  /** Without it, the default limits apply. */
  readonly flapping?: FlappingLimits;
  readonly links: LinkSettings;
  /** The pages that everyone may read; by default none. */
  readonly pages?: readonly PageSettings[];
  /** The time zone in which months begin and end; by default UTC. */
  readonly timeZone?: string;
  /** Options of other exporters' metric families; by default as without flags. */
  readonly compat?: CompatOptions;
  readonly accounts: readonly AccountSettings[];
  /** The time of the last change of the file, in UNIX seconds; absent without a file. */
  readonly changedAtSeconds?: number;
  /** The parsed content of the file, without secrets. */
  readonly shown: unknown;
}

const webSchema = z
  .strictObject({
    listen_address: oneOrMoreField({
      description: 'Address to listen on, or a list of them.',
      defaultText: defaultServing.listenAddresses.join(', '),
      allowed: 'an address such as ":9158" or "127.0.0.1:9158", or a list of such',
    }).optional(),
    route_prefix: textField({
      description:
        'Prefix of every path, such as `/uptime`. By default the path of `external_url`.',
      allowed: 'a path of letters, digits, "-", "_", "." and "~"',
      isAllowed: (text) => routePrefixProblem(text) === undefined,
    }).optional(),
    external_url: textField({
      description:
        'URL under which the exporter is reached from outside, for example through a proxy.',
      allowed: 'a URL such as https://example.com/uptime/ without user, query and fragment',
      isAllowed: (text) => externalUrlProblem(text) === undefined,
    }).optional(),
    unauthenticated_probes: switchField({
      description:
        'Answer `/-/healthy` and `/-/ready` without the credentials that `--web.config.file` asks for.',
      defaultText: `${defaultServing.unauthenticatedProbes}`,
    }).optional(),
    telemetry_path: textField({
      description: 'Path of the metrics.',
      allowed:
        "a path that begins with a slash, has no query and is not one of the exporter's own paths, such as /report",
      defaultText: defaultServing.telemetryPath,
      isAllowed: (text) => telemetryPathProblem(text) === undefined,
    }).optional(),
    max_requests: wholeNumberField({
      description: 'Maximum number of parallel scrapes; further ones get 503. 0 means no limit.',
      defaultText: `${defaultServing.maxRequests}`,
      min: 0,
    }).optional(),
  })
  .meta({ description: 'HTTP server.' });

const storageSchema = z
  .strictObject({
    path: textField({
      description:
        'Directory that keeps counters and data across restarts. The environment variable `UPTIME_STORAGE_PATH` overrides it; the image sets it to `/data`.',
      defaultText: defaultServing.storagePath,
      allowed: 'the path of a directory',
    }).optional(),
    url: textField({
      description:
        'PostgreSQL database that keeps counters and data, instead of a directory. Connections use TLS, except to loopback, ' +
        'to a UNIX socket (`?host=/run/postgresql`) and with `?sslmode=disable`. See [operating](operating.md#postgresql).',
      allowed: 'a URL such as postgres://uptime@db.example.com/uptime without password',
      isAllowed: (text) => databaseUrlProblem(text) === undefined,
    }).optional(),
    password_file: textField({
      description: 'File with the password of the database user.',
      allowed: 'the path of a file',
    }).optional(),
    ca_file: textField({
      description:
        'File with the certificate of the authority that signed the certificate of the database server.',
      defaultText: 'those of Node.js',
      allowed: 'the path of a file',
    }).optional(),
    lease_ttl: durationField({
      description:
        'How long another replica waits, with a margin of a sixth, before it takes an account whose owner no longer answers. See [replicas](replicas/operating.md).',
      defaultText: formatDuration(defaultServing.leaseTtlSeconds),
      min: leaseTtlLimits.min,
      max: leaseTtlLimits.max,
    }).optional(),
    synchronous_standby: switchField({
      description:
        'The database has a synchronous standby, so that a failover loses nothing. Otherwise counters begin at 0 after one.',
      defaultText: `${defaultServing.synchronousStandby}`,
    }).optional(),
  })
  .meta({ description: 'Storage.' });

const logSchema = z
  .strictObject({
    level: choiceField({
      description: 'Minimum level of logged lines.',
      defaultText: defaultServing.logLevel,
      choices: logLevels,
    }).optional(),
    format: choiceField({
      description: 'Log format.',
      defaultText: defaultServing.logFormat,
      choices: logFormats,
    }).optional(),
  })
  .meta({ description: 'Logging.' });

export const defaultTimeZone = 'UTC';

const reportSchema = z
  .strictObject({
    time_zone: textField({
      description:
        'Time zone in which the months of `/report` begin and end and its times are printed, and of the days of public pages. A month that is written stays as it is.',
      defaultText: defaultTimeZone,
      allowed: 'the name of a time zone, such as UTC or Europe/Berlin',
      isAllowed: isTimeZone,
      areWords: true,
      json: { type: 'string', pattern: timeZonePattern },
    }).optional(),
  })
  .meta({ description: 'Report of the month.' });

export const configurationSchema = z.strictObject({
  web: webSchema.optional(),
  storage: storageSchema.optional(),
  log: logSchema.optional(),
  labels: labelsSchema.optional(),
  metrics: metricsSchema.optional(),
  objectives: objectivesSchema.optional(),
  groups: groupsSchema.optional(),
  flapping: flappingLimitsSchema.optional(),
  links: linksSchema.optional(),
  report: reportSchema.optional(),
  pages: pagesSchema.optional(),
  compat: compatSchema.optional(),
  accounts: z
    .array(accountSchema)
    .min(1)
    .meta({ description: 'The monitored accounts, at least one.' }),
});
