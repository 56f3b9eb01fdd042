import { type Command, InvalidArgumentError, Option } from 'commander';
import { storagePathVariable } from '../config/environment/variables.ts';
import { defaultServing, type Serving, telemetryPathProblem } from '../config/serving.ts';
import { apiVersions } from '../domain/version.ts';
import { listenAddressProblem } from '../http/server/listen-address.ts';
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../lib/log.ts';
import { present } from '../lib/present.ts';

/** What a command that serves metrics was told by flags; named as in the Prometheus toolkit. */
export type ServingFlags = Partial<Serving>;

export interface ServeFlags {
  /** Only the flags that were given: they come before the file, and the file before the defaults. */
  readonly given: ServingFlags;
  readonly configFile?: string;
  readonly checkOnly: boolean;
}

const defaults = defaultServing;

export function withServingFlags(command: Command): Command {
  return command
    .option(
      '--web.listen-address <address>',
      'where to serve the metrics and pages',
      validated(listenAddressProblem),
      defaults.listenAddress,
    )
    .option(
      '--web.telemetry-path <path>',
      'where the metrics are',
      validated(telemetryPathProblem),
      defaults.telemetryPath,
    )
    .option(
      '--web.max-requests <n>',
      'scrapes served at the same time, the rest get a 503; 0 for any number',
      integerBetween(0),
      defaults.maxRequests,
    )
    .option(
      '--web.config.file <file>',
      'TLS, users and headers, in the format of the Prometheus exporter toolkit',
    )
    .addOption(
      oneOf('--log.level <level>', 'lines of this level and above', logLevels, defaults.logLevel),
    )
    .addOption(oneOf('--log.format <format>', 'form of the log', logFormats, defaults.logFormat));
}

/** The flags that were given. */
export function readServingFlags(command: Command): ServingFlags {
  const given = <T>(option: string): T | undefined =>
    command.getOptionValueSource(option) === 'cli' ? command.opts()[option] : undefined;
  return present({
    listenAddress: given<string>('web.listenAddress'),
    telemetryPath: given<string>('web.telemetryPath'),
    maxRequests: given<number>('web.maxRequests'),
    webConfigFile: given<string>('web.config.file'),
    storagePath: given<string>('storage.path'),
    logLevel: given<LogLevel>('log.level'),
    logFormat: given<LogFormat>('log.format'),
  });
}

export function withServeFlags(command: Command): Command {
  return withConfigFile(withServingFlags(command))
    .option('--config.check', 'only tell whether the configuration is right')
    .option(
      '--storage.path <folder>',
      `where counters and data are kept across restarts (or ${storagePathVariable})`,
      defaults.storagePath,
    );
}

export function readServeFlags(command: Command): ServeFlags {
  const { 'config.file': configFile, 'config.check': checkOnly = false } = command.opts();
  return { given: readServingFlags(command), checkOnly, ...present({ configFile }) };
}

function withConfigFile(command: Command): Command {
  return command.option('--config.file <file>', 'accounts to watch, and all other settings');
}

export function withPlanFlags(command: Command): Command {
  return withConfigFile(command)
    .addOption(
      new Option('--api-version <version>', 'version of the API')
        .choices(apiVersions)
        .default('3.1'),
    )
    .option('--checks <n>', 'number of checks; without it, the account is asked', integerBetween(0))
    .option('--transactions <n>', 'number of transaction checks; 0 if not asked', integerBetween(0))
    .option('--short <n>', 'requests allowed in an hour', integerBetween(1))
    .option('--long <n>', 'requests allowed in 30 days', integerBetween(1));
}

function oneOf(flags: string, help: string, choices: readonly string[], preset: string): Option {
  return new Option(flags, help).choices(choices).default(preset);
}

function validated(problemOf: (text: string) => string | undefined): (text: string) => string {
  return (text) => {
    const problem = problemOf(text);
    if (problem !== undefined) throw new InvalidArgumentError(problem);
    return text;
  };
}

export function integerBetween(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new InvalidArgumentError(`It is a whole number, ${range}.`);
  };
}
