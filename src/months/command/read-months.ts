import { z } from 'zod';
import { UsageError } from '../../config/problems.ts';
import { type Clock, systemClock, unixSeconds } from '../../lib/clock.ts';
import { formatInstant } from '../../lib/instant.ts';
import { type Month, type MonthCalendar, monthsKept } from '../../lib/month-calendar.ts';
import { present } from '../../lib/present.ts';
import { zonedTimes } from '../../lib/zoned-times.ts';
import { readAuthFile } from '../../remote/auth-file.ts';
import { type ExporterFlags, exporterAuthFlag } from '../../remote/exporter-flags.ts';
import { calendarOf, costText, ExporterJob } from '../../remote/exporter-job.ts';
import { interruptible } from '../../remote/interruptible.ts';
import { Progress } from '../../remote/progress.ts';
import { HttpResponseError, RetryingClient } from '../../remote/retrying-client.ts';
import type { Terminal } from '../../remote/terminal.ts';

export interface MonthsFlags extends ExporterFlags {
  readonly account?: string;
  readonly from?: string;
  readonly yes?: boolean;
}

/**
 * Prints what the months before the first day cost, and with `--yes` has the running exporter read
 * them. Resolves when they are read.
 */
export async function readMonths(
  terminal: Terminal,
  flags: MonthsFlags,
  clock: Clock = systemClock,
): Promise<void> {
  const progress = new Progress(terminal.stderr, clock);
  try {
    await interruptible(terminal, (signal) => read(flags, { clock, progress, signal }));
  } finally {
    progress.end();
  }
}

interface Means {
  readonly clock: Clock;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function read(flags: MonthsFlags, { clock, progress, signal }: Means): Promise<void> {
  const { account, from, yes } = flags;
  const exporter = clientOf(flags, { clock, progress, signal });
  const calendar = await calendarOf(exporter, account);
  const month = firstMonth(from, calendar, unixSeconds(clock));
  const { fromSeconds } = month;
  const job = new ExporterJob({
    exporter,
    clock,
    signal,
    from: formatInstant(fromSeconds),
    ...present({ account }),
  });
  const { account: name, cost } = await job.cost();
  if (cost.checks + cost.transactions === 0) {
    progress.say(
      `There is nothing to read: the exporter has watched every check and transaction since ${month.name} began, or since it was created.`,
    );
    return;
  }
  progress.say(costText(cost, `from ${zonedTimes(month.zone).text(fromSeconds)} on`));
  if (!yes) {
    progress.say('Nothing is read yet. Run the same command with --yes to begin.');
    return;
  }
  await job.finish(progress);
  const { name: presentName } = calendar.containing(unixSeconds(clock));
  const waits = { left: patience.attempts };
  for (let next = month; next.name < presentName; next = calendar.later(next, 1)) {
    progress.say(await resultText(next, name, { exporter, clock, signal }, waits));
  }
}

const reportSchema = z.object({
  items: z.array(z.object({ unwatched_seconds: z.number(), awaited_seconds: z.number() })),
});
/** The exporter writes the months after the job has ended, the oldest first. */
const patience = { attempts: 24, milliseconds: 5_000 };

/** Waits that are left. Months before the first check share them: the report never has them. */
interface Waits {
  left: number;
}

/** What the report has of a month after the job, and where; or that nothing is known of it. */
async function resultText(
  { name }: Month,
  account: string,
  { exporter, clock, signal }: Pick<Means, 'clock' | 'signal'> & { exporter: RetryingClient },
  waits: Waits,
): Promise<string> {
  const query = new URLSearchParams({ month: name, account });
  for (;;) {
    const items = await itemsOf(exporter, query);
    if (items !== undefined && items.length > 0) {
      waits.left = patience.attempts;
      const missing = items.filter((one) => one.unwatched_seconds + one.awaited_seconds > 0).length;
      const known = missing === 0 ? 'all known' : `${missing} of them not wholly known`;
      const count = `${items.length} ${items.length === 1 ? 'check or transaction' : 'checks and transactions'}`;
      return `${name}: ${count}, ${known}: ${exporter.address}/report?month=${name}`;
    }
    if (waits.left === 0) return `${name}: nothing is known of it`;
    waits.left -= 1;
    await clock.sleep(patience.milliseconds, signal);
  }
}

/** Undefined while the report does not have the month. */
async function itemsOf(exporter: RetryingClient, query: URLSearchParams) {
  try {
    const report = reportSchema.safeParse(await exporter.json('GET', `/report.json?${query}`));
    return report.data?.items;
  } catch (error) {
    // It names the months that it has.
    if (error instanceof HttpResponseError && error.status === 400) return undefined;
    throw error;
  }
}

/** Throws a `UsageError` for a month that is not kept. */
function firstMonth(name: string | undefined, calendar: MonthCalendar, nowSeconds: number): Month {
  const now = calendar.containing(nowSeconds);
  const oldest = calendar.later(now, -monthsKept);
  const month = name === undefined ? oldest : calendar.named(name);
  if (month !== undefined && month.name >= oldest.name && month.name <= now.name) return month;
  throw new UsageError(
    `--from must be a month from ${oldest.name} to ${now.name}, not ${JSON.stringify(name)}: ${monthsKept} complete months are kept`,
  );
}

function clientOf(
  { exporter: url, exporterAuthFile: file, yes }: MonthsFlags,
  { clock, progress, signal }: Means,
): RetryingClient {
  const credentials = file === undefined ? undefined : readAuthFile(exporterAuthFlag, file);
  return new RetryingClient({
    url,
    server: 'the exporter',
    authFlag: exporterAuthFlag,
    clock,
    signal,
    ...present({ credentials }),
    // The price is shown to a waiting person, so a mistyped address must fail soon.
    ...(!yes && { patienceMilliseconds: 0 }),
    onRetry: (message) => progress.say(`${message}; trying again for ten minutes`),
  });
}
