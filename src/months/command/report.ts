import { UsageError } from '../../config/problems.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { present } from '../../lib/present.ts';
import { readAuthFile } from '../../remote/auth-file.ts';
import { type ExporterFlags, exporterAuthFlag } from '../../remote/exporter-flags.ts';
import { RetryingClient } from '../../remote/retrying-client.ts';

export interface ReportFlags extends ExporterFlags {
  readonly month?: string;
  readonly account: readonly string[];
  readonly group: readonly string[];
  readonly tag: readonly string[];
  readonly check: readonly string[];
  readonly format: 'text' | 'csv' | 'json';
  readonly outages?: boolean;
}

/** The parts of the process that the command uses. */
export interface ReportTerminal {
  readonly stdout: { write(text: string): unknown };
}

const paths = { text: '/report.txt', csv: '/report.csv', json: '/report.json' } as const;

/** Prints the report of a month as the running exporter has it. */
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
  const { body } = await client.send('GET', `${path}${queryOf(flags)}`);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of body ?? []) {
    terminal.stdout.write(decoder.decode(chunk, { stream: true }));
  }
}

function queryOf({ month, account, group, tag, check }: ReportFlags): string {
  const query = new URLSearchParams(present({ month }));
  for (const [name, values] of Object.entries({ account, group, tag, check })) {
    for (const value of values) query.append(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}
