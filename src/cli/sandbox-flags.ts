import { type Command, InvalidArgumentError } from 'commander';
import {
  documentForms,
  type FaultOrder,
  type FreedomName,
  faultKinds,
  freedoms,
  parseWire,
  type QuirkName,
  quirkKinds,
  recordedWire,
  type SecondsRange,
  sandboxOperationNames,
  type Wire,
  wireWith,
} from 'uptime-sandbox';
import { integerBetween } from '../lib/integer-between.ts';
import { didYouMean } from '../lib/nearest-word.ts';
import { present } from '../lib/present.ts';
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
  readonly documentForm?: readonly Partial<Wire>[];
  readonly timeZone?: string;
  readonly analysisDelay?: number;
  readonly reportLag?: SecondsRange;
  readonly listLag?: SecondsRange;
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
      '--wire <wire>',
      'responses where the documents are silent: recorded, documented or a random seed:42, then single values such as recorded,reportsEnd=now',
      (text) => valid(() => parseWire(text)),
    )
    .option(
      '--document-form <name>',
      'respond in a documented form that recorded responses do not have; repeatable',
      repeatable(documentForm),
    )
    .option(
      '--time-zone <zone>',
      'zone of the account, such as Asia/Kolkata (default: Europe/Stockholm)',
      freedom('timeZone'),
    )
    .option(
      '--analysis-delay <seconds>',
      'from the confirmation of an outage until its analysis is listed (default: 180)',
      freedom('analysisDelaySeconds'),
    )
    .option(
      '--report-lag <seconds>',
      'seconds by which reports and results lag, such as 600, or 0-1800 for a random lag of each response (default: 0)',
      freedom('reportLagSeconds'),
    )
    .option(
      '--list-lag <seconds>',
      'the same for the lists (default: 0)',
      freedom('listLagSeconds'),
    )
    .option(
      '--late-results <seconds>',
      'a tenth of the results is listed later than its neighbours, by up to this many seconds (default: 0)',
      freedom('lateResultSeconds'),
    )
    .option(
      '--late-status <seconds>',
      'the list shows the time of a test up to this many seconds before its outcome (default: 0)',
      freedom('lateStatusSeconds'),
    )
    .option(
      '--missed-outages <share>',
      'share of the outage reports that lack an outage, in five of the 30 minutes after it (default: 0)',
      freedom('missedOutages'),
    )
    .addHelpText('after', () => catalogues());
}

/** The wire that the flags select together: a flag for one freedom overrides `--wire`. */
export function wireOfFlags(flags: SandboxFlags): Wire {
  const { wire = recordedWire, documentForm = [], timeZone, analysisDelay, missedOutages } = flags;
  const documented: Partial<Wire> = Object.assign({}, ...documentForm);
  return wireWith(
    {
      ...documented,
      ...present({ timeZone, missedOutages, analysisDelaySeconds: analysisDelay }),
      ...present({ reportLagSeconds: flags.reportLag, listLagSeconds: flags.listLag }),
      ...present({ lateResultSeconds: flags.lateResults, lateStatusSeconds: flags.lateStatus }),
    },
    wire,
  );
}

/** Reads a value of the freedom. */
function freedom<N extends FreedomName>(name: N): (text: string) => Wire[N] {
  return (text) => valid(() => freedoms[name].read(text) as Wire[N]);
}

function valid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
}

function documentForm(text: string): Partial<Wire> {
  const form = documentForms.get(text);
  if (form !== undefined) return form;
  const hint = didYouMean(text, [...documentForms.keys()]) || '; --help lists them';
  throw new InvalidArgumentError(`unknown document form "${text}"${hint}`);
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
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
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
    `Document forms: ${[...documentForms.keys()].join(', ')}`,
  ].join('\n\n');
}

function list(kinds: Readonly<Record<string, { readonly description: string }>>): string {
  const rows = Object.entries(kinds);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`)
    .join('\n');
}
