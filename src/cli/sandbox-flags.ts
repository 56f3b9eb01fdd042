import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FaultOrder, faultKinds, isFaultName } from '../sandbox/faults.ts';
import { isOddityName, type OddityName, oddityKinds } from '../sandbox/oddities.ts';
import { operationNames } from '../sandbox/operations.ts';
import { wholeNumber } from './flags.ts';

/** What the simulated account is like; flags of every command that runs one. */
export interface AccountFlags {
  readonly checks: number;
  readonly transactions?: number;
  readonly seed: number;
  readonly timeScale: number;
  readonly shortLimit: number;
  readonly longLimit: number;
}

/** Flags of the simulated service alone. */
export interface SandboxFlags extends AccountFlags {
  readonly port: number;
  readonly adminPort?: number;
  readonly token?: string;
  readonly readOnlyToken?: string;
  readonly fault?: readonly FaultOrder[];
  readonly oddity?: readonly OddityName[];
}

export interface Limits {
  readonly short: number;
  readonly long: number;
}

export function withAccountFlags(command: Command, { short, long }: Limits): Command {
  return command
    .option('--checks <n>', 'number of checks', wholeNumber(0, 50_000), 24)
    .option(
      '--transactions <n>',
      'number of transaction checks (default: a tenth as many as checks, at least 3)',
      wholeNumber(0, 5_000),
    )
    .option('--seed <n>', 'another seed makes another account', wholeNumber(0), 1)
    .option('--time-scale <factor>', 'how much faster its time runs', positiveNumber, 1)
    .option('--short-limit <n>', 'requests allowed in an hour', wholeNumber(1), short)
    .option('--long-limit <n>', 'requests allowed in 30 days', wholeNumber(1), long);
}

export function withSandboxFlags(command: Command): Command {
  return withAccountFlags(command, { short: 400, long: 72_000 })
    .option('--port <n>', 'port on the loopback address; 0 for any', wholeNumber(0, 65_535), 9159)
    .option(
      '--admin-port <n>',
      'port of the admin listener, which injects faults and outages; 0 for any',
      wholeNumber(0, 65_535),
    )
    .option('--token <token>', 'API token to accept (default: a new one)', word)
    .option('--read-only-token <token>', 'a second token, which can only read', word)
    .addOption(
      new Option(
        '--fault <kind[@operation]>',
        'suffer a fault from the start, of one operation or of all; repeatable',
      ).argParser(collected(fault)),
    )
    .addOption(
      new Option(
        '--oddity <name>',
        'differ from the documents in a way that can be read; repeatable',
      ).argParser(collected(oddity)),
    )
    .addHelpText('after', () => catalogues());
}

function collected<T>(read: (text: string) => T): (text: string, before?: readonly T[]) => T[] {
  return (text, before = []) => [...before, read(text)];
}

function fault(text: string): FaultOrder {
  const [kind = '', ...rest] = text.split('@');
  if (!isFaultName(kind)) throw new InvalidArgumentError('The faults are listed below --help.');
  if (rest.length === 0) return { kind };
  const operation = rest.join('@');
  if (operationNames.includes(operation)) return { kind, operation };
  throw new InvalidArgumentError(
    `There is no operation "${operation}"; there are: ${operationNames.join(', ')}.`,
  );
}

function oddity(text: string): OddityName {
  if (isOddityName(text)) return text;
  throw new InvalidArgumentError('The oddities are listed below --help.');
}

function word(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('It is one word of visible ASCII characters.');
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It is a number above 0.');
}

function catalogues(): string {
  return `\nFaults:\n${list(faultKinds)}\n\nOddities:\n${list(oddityKinds)}`;
}

function list(kinds: Readonly<Record<string, { readonly description: string }>>): string {
  const rows = Object.entries(kinds);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`)
    .join('\n');
}
