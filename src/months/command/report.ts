import { UsageError } from '../../config/problems.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { present } from '../../lib/present.ts';
import { readAuthFile } from '../../remote/auth-file.ts';
import { type ExporterFlags, exporterAuthFlag } from '../../remote/exporter-flags.ts';
import { RetryingClient } from '../../remote/retrying-client.ts';
import { unreadableHeader } from '../unreadable-header.ts';

export interface ReportFlags extends ExporterFlags {
  readonly month?: string;
  readonly account: readonly string[];
  readonly group: readonly string[];
  readonly tag: readonly string[];
  readonly check: readonly string[];
  readonly format: 'text' | 'csv' | 'json';
  readonly csv?: 'comma' | 'semicolon';
  readonly outages?: boolean;
}

/** The parts of the process that the command uses. */
export interface ReportTerminal {
  readonly stdout: { write(text: string): unknown };
}

const paths = { text: '/report.txt', csv: '/report.csv', json: '/report.json' } as const;

/**
 * Prints the report of a month as the running exporter has it. Rejects with a `UsageError` with exit
 * code 2 after that, if an account that was asked for cannot be read.
 */
export async function printReport(
  terminal: ReportTerminal,
  flags: ReportFlags,
  clock: Clock = systemClock,
): Promise<void> {
  const { exporter: url, exporterAuthFile: file, format, outages } = flags;
  if (outages && format === 'json') {
    throw new UsageError('--outages prints CSV; the JSON of --format=json has the outages, too');
  }
  const client = new RetryingClient({
    url,
    server: 'the exporter',
    authFlag: exporterAuthFlag,
    clock,
    signal: new AbortController().signal,
    // A person waits, so a mistyped address must fail soon.
    patienceMilliseconds: 0,
    ...present({
      credentials: file === undefined ? undefined : readAuthFile(exporterAuthFlag, file),
    }),
  });
  const path = outages ? '/report-outages.csv' : paths[format];
  const { body, headers } = await client.send('GET', `${path}${queryOf(flags)}`);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of body ?? []) {
    terminal.stdout.write(decoder.decode(chunk, { stream: true }));
  }
  const unreadable = headers.get(unreadableHeader);
  if (unreadable === null) return;
  const names = unreadable.split(',').map(decodeURIComponent).join(', ');
  throw new UsageError(`the report lacks what cannot be read now: account ${names}`, {
    exitCode: 2,
  });
}

function queryOf({ month, account, group, tag, check, csv }: ReportFlags): string {
  const form = csv === 'comma' ? undefined : csv;
  const query = new URLSearchParams(present({ month, csv: form }));
  for (const [name, values] of Object.entries({ account, group, tag, check })) {
    for (const value of values) query.append(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}
