import { type Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../lib/nearest-word.ts';
import { type FaultOrder, faultKinds } from '../sandbox/faults/faults.ts';
import { type QuirkName, quirkKinds } from '../sandbox/faults/quirks.ts';
import { sandboxOperationNames } from '../sandbox/operations/operations.ts';
import { isTimeZone } from '../sandbox/sandbox.ts';
import { type LagRange, maxLagSeconds } from '../sandbox/simulation/lags.ts';
import { type DocumentForm, documentForms } from '../sandbox/wire-forms.ts';
import { type AccountFlags, withAccountFlags } from './account-flags.ts';
import { integerBetween } from './flags.ts';

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
  readonly documentForm?: readonly DocumentForm[];
  readonly timeZone?: string;
  readonly analysisDelay?: number;
  readonly reportLag?: LagRange;
  readonly listLag?: LagRange;
  readonly lateResults?: number;
  readonly lateStatus?: number;
  readonly missedOutages?: number;
}

export function withSandboxFlags(command: Command): Command {
  return withAccountFlags(command, { short: 400, long: 72_000 })
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
      '--document-form <name>',
      'respond in a documented form that recorded responses do not have; repeatable',
      repeatable((text) => nameIn(documentForms, 'document form', text)),
    )
    .option(
      '--time-zone <zone>',
      'zone of the account, such as Asia/Kolkata (default: Europe/Stockholm)',
      timeZone,
    )
    .option(
      '--analysis-delay <seconds>',
      'from the confirmation of an outage until its analysis is listed (default: 180)',
      integerBetween(0, 86_400),
    )
    .option(
      '--report-lag <seconds>',
      'seconds by which reports and results lag, such as 600, or 0-1800 for a random lag of each response (default: 0)',
      lagRange,
    )
    .option('--list-lag <seconds>', 'the same for the lists (default: 0)', lagRange)
    .option(
      '--late-results <seconds>',
      'a tenth of the results is listed later than its neighbours, by up to this many seconds (default: 0)',
      integerBetween(0, maxLagSeconds),
    )
    .option(
      '--late-status <seconds>',
      'the list shows the time of a test up to this many seconds before its outcome (default: 0)',
      integerBetween(0, maxLagSeconds),
    )
    .option(
      '--missed-outages <share>',
      'share of the outage reports that lack an outage, in five of the 30 minutes after it (default: 0)',
      shareBelowOne,
    )
    .addHelpText('after', () => catalogues());
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

function timeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError('must be a zone of the time zone database, such as Asia/Kolkata');
}

function lagRange(text: string): LagRange {
  const [, min, max = min] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const range = { min: Number(min), max: Number(max) };
  if (range.min <= range.max && range.max <= maxLagSeconds) return range;
  throw new InvalidArgumentError(
    'must be a number of seconds, such as 600, or a range, such as 0-1800',
  );
}

function shareBelowOne(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share < 1) return share;
  throw new InvalidArgumentError('must be a number from 0 to below 1');
}

function asciiWord(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('must be one word of visible ASCII characters');
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0');
}

function catalogues(): string {
  return `\nFaults:\n${list(faultKinds)}\n\nQuirks:\n${list(quirkKinds)}\n\nDocument forms:\n${list(documentForms)}`;
}

function list(kinds: Readonly<Record<string, { readonly description: string }>>): string {
  const rows = Object.entries(kinds);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`)
    .join('\n');
}
