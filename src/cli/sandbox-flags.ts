import { type Command, InvalidArgumentError } from 'commander';
import {
  type FaultOrder,
  faultKinds,
  freedoms,
  parseWire,
  type QuirkName,
  quirkKinds,
  sandboxOperationNames,
  type Wire,
} from 'uptime-sandbox';
import { integerBetween } from '../lib/integer-between.ts';
import { didYouMean } from '../lib/nearest-word.ts';
import { type AccountFlags, withAccountFlags } from './account-flags.ts';

/** Flags of the `sandbox` command: those of the account, and those of the service. */
export interface SandboxFlags extends AccountFlags {
  readonly port: number;
  readonly timeScale: number;
  readonly adminPort?: number;
  readonly webhook?: string;
  readonly token?: string;
  readonly readOnlyToken?: string;
  readonly fault?: readonly FaultOrder[];
  readonly quirk?: readonly QuirkName[];
  readonly wire?: Wire;
}

export function withSandboxFlags(command: Command): Command {
  return withAccountFlags(command)
    .option('--time-scale <factor>', 'how much faster the simulated time runs', positiveNumber, 1)
    .option(
      '--port <n>',
      'port on the loopback address; 0 for any',
      integerBetween(0, 65_535),
      9159,
    )
    .option(
      '--admin-port <n>',
      'port of the admin listener, which injects faults and outages; 0 for any',
      integerBetween(0, 65_535),
    )
    .option(
      '--webhook <url>',
      'address to call with POST when a check goes down or up, such as http://127.0.0.1:9158/hooks/SECRET',
      address,
    )
    .option('--token <token>', 'API token to accept (default: a new one)', asciiWord)
    .option('--read-only-token <token>', 'a second token, which can only read', asciiWord)
    .option(
      '--fault <kind[@operation]>',
      'inject a fault at the start, into one operation or all; repeatable',
      repeatable(faultOrder),
    )
    .option(
      '--quirk <name>',
      'deviate from the API documents in a tolerable way; repeatable',
      repeatable((text) => nameIn(quirkKinds, 'quirk', text)),
    )
    .option(
      '--wire <wire>',
      'responses where the documents are silent: recorded, documented or a random seed:42, then single values such as recorded,reportsEnd=now,timeZone=Asia/Kolkata',
      (text) => valid(() => parseWire(text)),
    )
    .addHelpText('after', () => catalogues());
}

function valid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
}

function repeatable<T>(read: (text: string) => T): (text: string, before?: readonly T[]) => T[] {
  return (text, before = []) => [...before, read(text)];
}

function faultOrder(text: string): FaultOrder {
  const [kind = '', ...rest] = text.split('@');
  const fault = { kind: nameIn(faultKinds, 'fault', kind) };
  if (rest.length === 0) return fault;
  const operation = rest.join('@');
  if (sandboxOperationNames.includes(operation)) return { ...fault, operation };
  const hint = didYouMean(operation, sandboxOperationNames) || ';';
  throw new InvalidArgumentError(
    `unknown operation "${operation}"${hint} allowed: ${sandboxOperationNames.join(', ')}`,
  );
}

function nameIn<N extends string>(names: Readonly<Record<N, unknown>>, what: string, text: string) {
  if (Object.hasOwn(names, text)) return text as N;
  const hint = didYouMean(text, Object.keys(names)) || '; --help lists them';
  throw new InvalidArgumentError(`unknown ${what} "${text}"${hint}`);
}

function address(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError(
    'must be an http or https address, such as http://127.0.0.1:9158/hooks/SECRET',
  );
}

function asciiWord(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('must be one word of visible ASCII characters');
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0');
}

function catalogues(): string {
  const ofWire = Object.entries(freedoms).map(([name, { description, values }]) => [
    name,
    { description: `${description} (${values})` },
  ]);
  return [
    `\nFaults:\n${list(faultKinds)}`,
    `Quirks:\n${list(quirkKinds)}`,
    `Wire:\n${list(Object.fromEntries(ofWire))}`,
  ].join('\n\n');
}

function list(kinds: Readonly<Record<string, { readonly description: string }>>): string {
  const rows = Object.entries(kinds);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`)
    .join('\n');
}
