import { UsageError } from '../../config/problems.ts';
import { unreadableHeader } from '../../http/common/unreadable-header.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { present } from '../../lib/present.ts';
import { readAuthFile } from '../../remote/auth-file.ts';
import { type ExporterFlags, exporterAuthFlag } from '../../remote/exporter-flags.ts';
import { chunksOf, RetryingClient } from '../../remote/retrying-client.ts';
import { awaitedHeader } from '../headers.ts';

export interface ReportFlags extends ExporterFlags {
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
  readonly account: readonly string[];
  readonly group: readonly string[];
  readonly tag: readonly string[];
  readonly check: readonly string[];
  readonly format: keyof typeof paths;
  readonly csv?: 'comma' | 'semicolon';
  readonly outages?: boolean;
  readonly whole?: boolean;
  /** Seconds. */
  readonly wait?: number;
}

/** The parts of the process that the command uses. */
export interface ReportTerminal {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

const paths = {
  text: '/report.txt',
  csv: '/report.csv',
  json: '/report.json',
  html: '/report.html',
} as const;

/** How often the exporter is asked whether something is still awaited. */
const pauseMilliseconds = 60_000;

/**
 * Prints the report of a month as the running exporter has it. After that it rejects with a
 * `UsageError`: with exit code 2 if an account that was asked for cannot be read, and with 3 if the
 * time is over in which it waited.
 */
export async function printReport(
  terminal: ReportTerminal,
  flags: ReportFlags,
  clock: Clock = systemClock,
): Promise<void> {
  const { format, outages, whole } = flags;
  if (outages && format !== 'text' && format !== 'csv') {
    throw new UsageError(`--outages prints CSV; leave --format=${format} out`);
  }
  if (whole && format !== 'html') throw new UsageError('--whole is for --format=html');
  const response = await awaitedReport(terminal, flags, clock);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of chunksOf(response)) {
    terminal.stdout.write(decoder.decode(chunk, { stream: true }));
  }
  const { headers } = response;
  const unreadable = headers.get(unreadableHeader);
  if (unreadable !== null) {
    const names = unreadable.split(',').map(decodeURIComponent).join(', ');
    throw new UsageError(`the report lacks what cannot be read now: account ${names}`, {
      exitCode: 2,
    });
  }
  const awaited = headers.get(awaitedHeader);
  if (flags.wait === undefined || awaited === null) return;
  throw new UsageError(`the time to wait is over: ${awaitedText(awaited)}`, { exitCode: 3 });
}

/** Resolves when nothing of the report is awaited, or the time is over. */
async function awaitedReport(
  { stderr }: ReportTerminal,
  flags: ReportFlags,
  clock: Clock,
): Promise<Response> {
  const { exporter: url, exporterAuthFile: file, format, outages, wait = 0 } = flags;
  const credentials = file === undefined ? undefined : readAuthFile(exporterAuthFlag, file);
  const path = `${outages ? '/report-outages.csv' : paths[format]}${queryOf(flags)}`;
  const { signal } = new AbortController();
  const endsAt = clock.monotonic() + 1000 * wait;
  let told: string | undefined;
  const tell = (why: string) => {
    if (why !== told) stderr.write(`waiting: ${why}\n`);
    told = why;
  };
  for (;;) {
    const leftMilliseconds = Math.max(0, endsAt - clock.monotonic());
    const client = new RetryingClient({
      url,
      server: 'the exporter',
      authFlag: exporterAuthFlag,
      clock,
      signal,
      // Without a wait somebody looks on, so a mistyped address must fail soon.
      patienceMilliseconds: leftMilliseconds,
      onRetry: tell,
      ...present({ credentials }),
    });
    const response = await client.send('GET', path);
    const awaited = response.headers.get(awaitedHeader);
    if (awaited === null && response.headers.get(unreadableHeader) === null) return response;
    if (leftMilliseconds === 0) return response;
    await response.body?.cancel();
    tell(awaited === null ? 'an account cannot be read' : awaitedText(awaited));
    await clock.sleep(Math.min(pauseMilliseconds, leftMilliseconds));
  }
}

function awaitedText(count: string): string {
  return count === '1'
    ? '1 check or transaction is not wholly known yet'
    : `${count} checks and transactions are not wholly known yet`;
}

function queryOf({ month, from, to, account, group, tag, check, csv, whole }: ReportFlags): string {
  const form = csv === 'comma' ? undefined : csv;
  const query = new URLSearchParams(
    present({ month, from, to, csv: form, whole: whole ? 'true' : undefined }),
  );
  for (const [name, values] of Object.entries({ account, group, tag, check })) {
    for (const value of values) query.append(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}
