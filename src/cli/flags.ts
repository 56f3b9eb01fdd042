import { type Command, InvalidArgumentError, Option } from 'commander';
import { apiVersions } from '../domain/api-version.ts';
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../lib/log.ts';

/** Flags of every command that serves metrics; named as in the Prometheus toolkit. */
export interface ServingFlags {
  readonly listenAddress: string;
  readonly telemetryPath: string;
  readonly maxRequests: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

export interface ServeFlags extends ServingFlags {
  readonly storagePath: string;
}

export function withServingFlags(command: Command): Command {
  return command
    .option('--web.listen-address <address>', 'where to serve the metrics and pages', ':9158')
    .option('--web.telemetry-path <path>', 'where the metrics are', path, '/metrics')
    .option(
      '--web.max-requests <n>',
      'scrapes served at the same time, the rest get a 503; 0 for any number',
      wholeNumber(0),
      40,
    )
    .addOption(oneOf('--log.level <level>', 'lines of this level and above', logLevels, 'info'))
    .addOption(oneOf('--log.format <format>', 'form of the log', logFormats, 'logfmt'));
}

export function readServingFlags(command: Command): ServingFlags {
  const flags = command.opts();
  return {
    listenAddress: flags['web.listenAddress'],
    telemetryPath: flags['web.telemetryPath'],
    maxRequests: flags['web.maxRequests'],
    logLevel: flags['log.level'],
    logFormat: flags['log.format'],
  };
}

export function withStorageFlags(command: Command): Command {
  return command.option(
    '--storage.path <folder>',
    'where counters and data are kept across restarts',
    './data',
  );
}

export function readServeFlags(command: Command): ServeFlags {
  return { ...readServingFlags(command), storagePath: command.opts()['storage.path'] };
}

export function withPlanFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--api-version <version>', 'version of the API')
        .choices(apiVersions)
        .default('3.1'),
    )
    .option('--checks <n>', 'number of checks; without it, the account is asked', wholeNumber(0))
    .option('--transactions <n>', 'number of transaction checks (default: 0)', wholeNumber(0))
    .option('--short <n>', 'requests allowed in an hour', wholeNumber(1))
    .option('--long <n>', 'requests allowed in 30 days', wholeNumber(1));
}

function oneOf(flags: string, help: string, choices: readonly string[], preset: string): Option {
  return new Option(flags, help).choices(choices).default(preset);
}

function path(text: string): string {
  const problem = telemetryPathProblem(text);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}

export function wholeNumber(
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
