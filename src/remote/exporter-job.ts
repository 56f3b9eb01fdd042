import { z } from 'zod';
import { UsageError } from '../config/problems.ts';
import type { Sleeper } from '../lib/clock.ts';
import { humanizeDuration } from '../lib/format-duration.ts';
import { plural } from '../lib/format-number.ts';
import { MonthCalendar } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import type { RetryingClient } from './retrying-client.ts';

const jobSchema = z.object({
  state: z.enum(['running', 'waiting', 'done']),
  items: z.number(),
  read: z.number(),
  incomplete: z.number(),
  refused: z.number(),
  gone: z.number(),
  waiting: z.number(),
  seconds_left: z.number().optional(),
});
export type JobProgress = z.infer<typeof jobSchema>;

const costSchema = z.object({
  checks: z.number(),
  transactions: z.number(),
  requests: z.number(),
  seconds: z.number().optional(),
});
export type JobCost = z.infer<typeof costSchema>;

/** The cost of a job as a sentence. `range` is that of the past, such as `from 2025-11-01 on`. */
export function costText(
  { checks, transactions, requests, seconds }: JobCost,
  range: string,
): string {
  const time = seconds === undefined ? 'an unknown time' : `about ${humanizeDuration(seconds)}`;
  const items = `${plural(checks, 'check')} and ${plural(transactions, 'transaction')}`;
  return `Reading ${items} ${range} takes ${plural(requests, 'request')} and ${time} with the present budget.`;
}

const viewSchema = z.object({
  accounts: z.array(
    z.object({
      account: z.string(),
      time_zone: z.string(),
      /** Those that have begun keep their bounds when the time zone is changed. */
      months: z.array(
        z.object({
          month: z.string(),
          time_zone: z.string(),
          from: z.iso.datetime(),
          to: z.iso.datetime(),
        }),
      ),
      job: jobSchema.optional(),
      cost: costSchema.optional(),
    }),
  ),
});

const pollMilliseconds = 5_000;

interface ExporterJobOptions {
  readonly exporter: RetryingClient;
  readonly clock: Sleeper;
  readonly signal: AbortSignal;
  /** Absent if the exporter has one account. */
  readonly account?: string;
  /** The times in the words of the user. */
  readonly from: string;
  readonly to?: string;
  readonly responseTimes?: boolean;
}

/** The backfill job of one account, in a running exporter. */
export class ExporterJob {
  readonly #options: ExporterJobOptions;
  readonly #query: URLSearchParams;

  constructor(options: ExporterJobOptions) {
    this.#options = options;
    const { from, account, to, responseTimes } = options;
    const response_times = responseTimes ? 'true' : undefined;
    this.#query = new URLSearchParams(present({ from, account, to, response_times }));
  }

  /** The account, and the job's cost. Rejects with a `UsageError` for an ambiguous account. */
  async cost(): Promise<{ readonly account: string; readonly cost: JobCost }> {
    const { account, cost } = await accountOf(this.#options.exporter, this.#query);
    if (cost === undefined) {
      throw new UsageError(
        `the exporter has not read the check list of ${JSON.stringify(account)} yet: ${this.#options.exporter.address} shows why`,
      );
    }
    return { account, cost };
  }

  /** Begins or continues the job. Resolves when it has read all readable items. */
  async finish(progress: { read(job: JobProgress): void }): Promise<JobProgress> {
    const { exporter, clock, signal } = this.#options;
    await exporter.json('POST', `/-/backfill?${this.#query}`);
    for (;;) {
      const [view] = await accountsOf(exporter, this.#accountQuery);
      if (view?.job === undefined)
        throw new UsageError(
          'the exporter no longer has the backfill job; run the same command again',
        );
      progress.read(view.job);
      if (view.job.state === 'done') return view.job;
      await clock.sleep(pollMilliseconds, signal);
    }
  }

  /** Yields the items that the job has read, as JSON texts. */
  itemLines(): AsyncIterable<string> {
    return this.#options.exporter.lines(`/-/backfill/items?${this.#accountQuery}`);
  }

  get #accountQuery(): URLSearchParams {
    const { account } = this.#options;
    return new URLSearchParams(present({ account }));
  }
}

/** The months of an account, as the exporter has them. Rejects like `ExporterJob.cost`. */
export async function calendarOf(
  exporter: RetryingClient,
  account: string | undefined,
): Promise<MonthCalendar> {
  const view = await accountOf(exporter, new URLSearchParams(present({ account })));
  const calendar = new MonthCalendar(view.time_zone);
  const begun = view.months.map(({ month: name, time_zone: zone, from, to }) => ({
    ...{ name, zone },
    ...{ fromSeconds: Date.parse(from) / 1000, toSeconds: Date.parse(to) / 1000 },
  }));
  calendar.keep(begun);
  return calendar;
}

/** The only account of a response. Rejects with a `UsageError` if there are several, or none. */
async function accountOf(exporter: RetryingClient, query: URLSearchParams) {
  const [view, ...others] = await accountsOf(exporter, query);
  if (view === undefined) throw new UsageError('the exporter has no account');
  if (others.length > 0) {
    const names = [view, ...others].map(({ account }) => JSON.stringify(account)).join(', ');
    throw new UsageError(
      `the exporter has several accounts: choose one of ${names} with --account`,
    );
  }
  return view;
}

async function accountsOf(exporter: RetryingClient, query: URLSearchParams) {
  const view = viewSchema.safeParse(await exporter.json('GET', `/-/backfill?${query}`));
  if (view.success) return view.data.accounts;
  throw new UsageError(`${exporter.address} is not an exporter that can backfill`);
}
