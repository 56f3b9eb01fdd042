import { type Command, InvalidArgumentError, Option } from 'commander';
import { storagePathVariable } from '../config/environment.ts';
import { formatDuration, parseDuration } from '../config/fields.ts';
import { UsageError } from '../config/problems.ts';
import {
  defaultServing,
  externalUrlProblem,
  leaseTtlLimits,
  routePrefixProblem,
  type Serving,
  telemetryPathProblem,
} from '../config/serving.ts';
import { apiVersions } from '../domain/version.ts';
import { listenAddressProblem } from '../http/server/listen-address.ts';
import { databaseUrlProblem } from '../lib/database-address.ts';
import { integerBetween } from '../lib/integer-between.ts';
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../lib/log.ts';
import { present } from '../lib/present.ts';
import { isRuleSet, type RuleSet, ruleSetNames } from '../rules/rule-sets.ts';

/** The flags of a command that serves metrics, named as in the Prometheus exporter toolkit. */
export type ServingFlags = Partial<Serving>;

export interface ServeFlags {
  /** Only the flags that were given: they override the file, which overrides the defaults. */
  readonly given: ServingFlags;
  readonly configFile?: string;
  readonly checkOnly: boolean;
}

const defaults = defaultServing;
/** As in blackbox_exporter, whose flags have the same names. */
const defaultAutoReloadSeconds = 30;

export function withServingFlags(command: Command): Command {
  return command
    .option(
      '--web.listen-address <address>',
      'address to listen on; repeatable for several',
      collected(validated(listenAddressProblem), defaults.listenAddresses),
      defaults.listenAddresses,
    )
    .option(
      '--web.systemd-socket',
      'use the sockets that systemd passes instead of listening on addresses (Linux)',
    )
    .option(
      '--web.external-url <url>',
      'URL under which the exporter is reached from outside, for example through a proxy',
    )
    .option(
      '--web.route-prefix <path>',
      'prefix of all paths; by default the path of --web.external-url',
      validated(routePrefixProblem),
    )
    .option(
      '--web.unauthenticated-probes',
      'serve /-/healthy and /-/ready without the credentials of --web.config.file',
    )
    .option(
      '--web.telemetry-path <path>',
      'path of the metrics',
      validated(telemetryPathProblem),
      defaults.telemetryPath,
    )
    .option(
      '--web.max-requests <n>',
      'maximum number of parallel scrapes; further ones get 503; 0 means no limit',
      integerBetween(0),
      defaults.maxRequests,
    )
    .option(
      '--web.config.file <file>',
      'TLS, users and headers, in the format of the Prometheus exporter toolkit',
      path,
    )
    .addOption(
      oneOf('--log.level <level>', 'minimum level of logged lines', logLevels, defaults.logLevel),
    )
    .addOption(oneOf('--log.format <format>', 'log format', logFormats, defaults.logFormat));
}

export function readServingFlags(command: Command): ServingFlags {
  const given = <T>(option: string): T | undefined =>
    command.getOptionValueSource(option) === 'cli' ? command.opts()[option] : undefined;
  return present({
    listenAddresses: given<readonly string[]>('web.listenAddress'),
    systemdSocket: given<true>('web.systemdSocket'),
    externalUrl: checkedUrl(
      '--web.external-url',
      given<string>('web.externalUrl'),
      externalUrlProblem,
    ),
    routePrefix: given<string>('web.routePrefix'),
    unauthenticatedProbes: given<true>('web.unauthenticatedProbes'),
    telemetryPath: given<string>('web.telemetryPath'),
    maxRequests: given<number>('web.maxRequests'),
    webConfigFile: given<string>('web.config.file'),
    storagePath: given<string>('storage.path'),
    storageUrl: checkedUrl('--storage.url', given<string>('storage.url'), databaseUrlProblem),
    storagePasswordFile: given<string>('storage.passwordFile'),
    storageCaFile: given<string>('storage.caFile'),
    leaseTtlSeconds: given<number>('storage.leaseTtl'),
    synchronousStandby: given<true>('storage.synchronousStandby'),
    logLevel: given<LogLevel>('log.level'),
    logFormat: given<LogFormat>('log.format'),
  });
}

export function withServeFlags(command: Command): Command {
  return withConfigFile(withServingFlags(command))
    .option('--config.check', 'validate the configuration and exit')
    .option(
      '--config.enable-auto-reload',
      'reload when the configuration file, or a file that it names, has changed',
    )
    .option(
      '--config.auto-reload-interval <duration>',
      'how often to look for changed files, in seconds or as 30s or 5m',
      secondsBetween(1, 86_400, '5m'),
      defaultAutoReloadSeconds,
    )
    .option(
      '--storage.path <directory>',
      `directory that keeps counters and data across restarts (or ${storagePathVariable})`,
      path,
      defaults.storagePath,
    )
    .option(
      '--storage.url <url>',
      'PostgreSQL database that keeps them instead, such as postgres://uptime@db.example.com/uptime',
    )
    .option('--storage.password-file <file>', 'file with the password of the database user', path)
    .option(
      '--storage.ca-file <file>',
      'certificate of the authority that signed the certificate of the database server',
      path,
    )
    .option(
      '--storage.lease-ttl <duration>',
      'how long other replicas wait before they take an account whose owner does not answer',
      secondsBetween(leaseTtlLimits.min, leaseTtlLimits.max, '1m'),
      defaults.leaseTtlSeconds,
    )
    .option(
      '--storage.synchronous-standby',
      'the database has a synchronous standby, so that a failover loses nothing',
    );
}

export function readServeFlags(command: Command): ServeFlags {
  const { 'config.file': configFile, 'config.check': checkOnly = false } = command.opts();
  const { 'config.enableAutoReload': reloads, 'config.autoReloadInterval': autoReloadSeconds } =
    command.opts();
  const given = { ...readServingFlags(command), ...(reloads === true && { autoReloadSeconds }) };
  return { given, checkOnly, ...present({ configFile }) };
}

function withConfigFile(command: Command): Command {
  return command.option(
    '--config.file <file>',
    'configuration file with accounts and all other settings',
    path,
  );
}

export function withPlanFlags(command: Command): Command {
  return withConfigFile(command)
    .addOption(oneOf('--api-version <version>', 'version of the API', apiVersions, '3.1'))
    .option('--checks <n>', 'number of checks; by default the account is asked', integerBetween(0))
    .option(
      '--transactions <n>',
      'number of transaction checks; by default the account is asked, or 0 with --checks',
      integerBetween(0),
    )
    .option('--short <n>', 'requests allowed per hour', integerBetween(1))
    .option('--long <n>', 'requests allowed per 30 days', integerBetween(1));
}

function oneOf(
  flags: string,
  help: string,
  choices: readonly string[],
  defaultValue: string,
): Option {
  return new Option(flags, help).choices(choices).default(defaultValue);
}

/** Collects the values of an option that may be repeated; the first one replaces the default. */
function collected(read: (text: string) => string, defaultValue: readonly string[]) {
  return (text: string, former: readonly string[]): readonly string[] =>
    former === defaultValue ? [read(text)] : [...former, read(text)];
}

function secondsBetween(min: number, max: number, example: string): (text: string) => number {
  return (text) => {
    const seconds = /^\d+$/.test(text) ? Number(text) : parseDuration(text);
    if (seconds !== undefined && seconds >= min && seconds <= max) return seconds;
    const range = `${formatDuration(min)} to ${formatDuration(max)}`;
    throw new InvalidArgumentError(`allowed: ${range}, written as 30, 30s or ${example}`);
  };
}

/** Throws a `UsageError` without the URL, which may have a password by mistake. */
function checkedUrl(
  flag: string,
  text: string | undefined,
  problemOf: (text: string) => string | undefined,
): string | undefined {
  const problem = text === undefined ? undefined : problemOf(text);
  if (problem !== undefined) throw new UsageError(`${flag} ${problem}`);
  return text;
}

/** A shell turns an unset variable into an empty path. */
function path(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('must be a path, and is empty');
}

function validated(problemOf: (text: string) => string | undefined): (text: string) => string {
  return (text) => {
    const problem = problemOf(text);
    if (problem !== undefined) throw new InvalidArgumentError(problem);
    return text;
  };
}

export interface CheckConfigFlags {
  /** Whether the files with secrets and certificates are read. */
  readonly secrets: boolean;
}

export function withCheckConfigFlags(command: Command): Command {
  return command
    .argument('<file>')
    .option('--no-secrets', 'do not read the files with secrets and certificates that it names');
}

export interface RulesFlags {
  readonly config?: string;
  readonly format: 'plain' | 'prometheusrule';
  /** Sets of rules besides those of the parameters. */
  readonly with: readonly RuleSet[];
  readonly timeDivisor: number;
}

export function withRulesFlags(command: Command): Command {
  return command
    .option('--config <file>', 'job, links, thresholds, severities and waits, as YAML', path)
    .option(
      '--with <sets>',
      `further rules, separated by commas: ${ruleSetNames.join(', ')}`,
      ruleSetsIn,
      [],
    )
    .addOption(
      oneOf(
        '--format <format>',
        'a rule file, or an object of the Prometheus operator',
        ['plain', 'prometheusrule'],
        'plain',
      ),
    )
    .option(
      '--time-divisor <n>',
      'divide every duration, to try the alerts with a service whose time runs faster',
      divisor,
      1,
    );
}

function ruleSetsIn(text: string): readonly RuleSet[] {
  return text.split(',').map((name) => {
    if (!isRuleSet(name)) throw new InvalidArgumentError(`allowed: ${ruleSetNames.join(', ')}`);
    return name;
  });
}

function divisor(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 1000)) throw new InvalidArgumentError('allowed: 1 to 1000');
  return value;
}
