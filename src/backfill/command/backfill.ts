import { UsageError } from '../../config/problems.ts';
import { type Clock, systemClock, unixSeconds } from '../../lib/clock.ts';
import { plural } from '../../lib/format-number.ts';
import { formatInstant, instantForms, parseInstant } from '../../lib/instant.ts';
import { present } from '../../lib/present.ts';
import type { Random } from '../../lib/random.ts';
import { ExporterJob } from '../../remote/exporter-job.ts';
import { interruptible } from '../../remote/interruptible.ts';
import { Progress } from '../../remote/progress.ts';
import type { Terminal } from '../../remote/terminal.ts';
import { type PastItem, pastItemSchema } from '../series/past-item.ts';
import { pastGaugeFamilies } from '../series/past-ratios.ts';
import { Past, pastCounterFamilies } from '../series/past-series.ts';
import { pastResponseTimeFamily } from '../series/response-time-series.ts';
import { fineFromOf } from '../series/sample-times.ts';
import { type Destination, dayWriter, destinationText, summaryOf } from './destination.ts';
import { describeCost } from './estimate.ts';
import type { BackfillFlags } from './flags.ts';
import { excuse, Judge, olderSamplesQuery, readLabels, unreadableText } from './judge.ts';
import type { LabelledPast, ScrapeLabels } from './open-metrics.ts';
import { type HistoryManifest, OutputFolder, type WantedHistory } from './output-folder.ts';
import type { PrometheusTarget } from './prometheus-target.ts';
import { Servers } from './servers.ts';
import { type VerificationOptions, verify } from './verification.ts';
import { areAllWritten, writeDays } from './write-days.ts';

/** Counters come first, because a file has the families in this order. */
const families = [...pastCounterFamilies, ...pastGaugeFamilies, pastResponseTimeFamily];
/** At most this many items of a kind are listed by name. The others are counted. */
const mostNamed = 50;

/** Writes the past of an account to files, blocks or a server; continues after interruptions. */
export async function backfill(
  terminal: Terminal,
  flags: BackfillFlags,
  clock: Clock = systemClock,
  random: Random = Math.random,
): Promise<void> {
  const progress = new Progress(terminal.stderr, clock);
  try {
    await interruptible(terminal, async (signal) => {
      const { from } = flags;
      if (flags.verify) {
        await verifyFolder(flags, { clock, progress, signal, random });
      } else if (from === undefined) {
        throw new UsageError('--from DATE is missing, such as --from 2025-11-01');
      } else {
        await new Backfill({ ...flags, from }, { clock, progress, signal, random }).run();
      }
    });
  } finally {
    progress.end();
  }
}

/** The start is stored with the history, so verification does not need it. */
type WritingFlags = BackfillFlags & { readonly from: string };

interface Means {
  readonly clock: Clock;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly random: Random;
}

class Backfill {
  readonly #flags: WritingFlags;
  readonly #clock: Clock;
  readonly #progress: Progress;
  readonly #signal: AbortSignal;
  readonly #random: Random;
  readonly #servers: Servers;
  readonly #job: ExporterJob;

  constructor(flags: WritingFlags, { clock, progress, signal, random }: Means) {
    this.#flags = flags;
    this.#clock = clock;
    this.#progress = progress;
    this.#signal = signal;
    this.#random = random;
    this.#servers = new Servers(flags, { clock, signal, say: (text) => progress.say(text) });
    const { from, account, to, responseTimes } = flags;
    requireInstant('--from', from);
    if (to !== undefined) requireInstant('--to', to);
    const exporter = this.#servers.exporter();
    this.#job = new ExporterJob({
      exporter,
      clock,
      signal,
      from,
      ...present({ account, to, responseTimes }),
    });
  }

  /** Throws a `UsageError` before the first request if the flags cannot produce a history. */
  #requireFlags(destination: Destination): string {
    const { output, prometheus, label } = this.#flags;
    if (output === undefined) throw new UsageError('--output FOLDER is missing');
    if (prometheus === undefined && label.length === 0) {
      throw new UsageError(
        'give --prometheus URL, so that the labels that the scrape adds are found, or name them: --label job=… --label instance=…',
      );
    }
    if (destination.kind === 'remote' && prometheus === undefined) {
      throw new UsageError(
        'give --prometheus URL, the address at which the server of --remote-write answers queries: it is asked for older samples before any is sent',
      );
    }
    return output;
  }

  async run(): Promise<void> {
    const { plan, from, to, label, only, responseTimes = false } = this.#flags;
    const nowSeconds = unixSeconds(this.#clock);
    const days = Math.ceil((nowSeconds - (parseInstant(from) ?? nowSeconds)) / 86_400) + 1;
    const destination = this.#servers.destination(days);
    const scrapeLabels = readLabels(label);
    const output = plan ? undefined : this.#requireFlags(destination);
    const { account, cost } = await this.#job.cost();
    const target = this.#servers.target(account);
    const described = describeCost(cost, { from, nowSeconds, responseTimes, ...present({ to }) });
    if (output === undefined) {
      this.#progress.say(described);
      return;
    }
    const wanted = {
      account,
      from,
      options: label.join(' '),
      responseTimes,
      destination: destinationText(destination),
      ...present({ to, only: only.length === 0 ? undefined : sorted(only).join(' ') }),
    };
    const folder = await OutputFolder.open(output, formatInstant(nowSeconds));
    try {
      const begun = folder.manifest(wanted);
      // Without a description, stored items may be those of another request.
      if (begun === undefined || !folder.hasItems) {
        this.#progress.say(described);
        await this.#job.finish(this.#progress);
        await folder.storeItems(itemsOf(this.#job));
      }
      const manifest = begun ?? (await this.#judged(folder, wanted, { target, scrapeLabels }));
      const written = await this.#write(folder, manifest, destination);
      if (destination.kind !== 'remote' || target === undefined) return;
      const means = { clock: this.#clock, random: this.#random, signal: this.#signal };
      await verify({ ...means, ...written, folder, target, progress: this.#progress });
    } finally {
      folder.close();
    }
  }

  /** Decides which items are written, and stores it: later changes do not affect the files. */
  async #judged(
    folder: OutputFolder,
    wanted: WantedHistory,
    { target, scrapeLabels }: { target: PrometheusTarget | undefined; scrapeLabels: ScrapeLabels },
  ): Promise<HistoryManifest> {
    const { only, remoteWrite } = this.#flags;
    const nowSeconds = unixSeconds(this.#clock);
    const { account } = wanted;
    const isSent = remoteWrite !== undefined;
    const judge = await Judge.create({ nowSeconds, scrapeLabels, isSent, ...present({ target }) });
    const written: Record<string, Readonly<Record<string, string>>> = {};
    const excuses: string[] = [];
    const items: PastItem[] = [];
    const unread = new Set(only);
    for await (const item of folder.items()) {
      this.#signal.throwIfAborted();
      if (only.length > 0 && !only.includes(item.id)) continue;
      unread.delete(item.id);
      const judged = await judge.judge(item);
      if (judged.kind === 'write') {
        written[keyOf(item)] = judged.scrapeLabels;
        items.push(item);
      } else {
        excuses.push(excuse(item, judged));
      }
    }
    if (unread.size > 0) {
      throw new UsageError(
        `nothing was read of --only ${[...unread].join(', ')}: the account has no such check or transaction, or the exporter has watched it since it was created`,
      );
    }
    this.#tell('Not written', excuses);
    this.#tell(
      'Written, although the service reported entries that cannot be read',
      items.flatMap((item) => unreadableText(item) ?? []),
    );
    if (items.length === 0) throw new UsageError('there is no history that can be written');
    if (wanted.responseTimes) this.#tellUnmeasured(items);
    if (target === undefined) {
      const query = olderSamplesQuery(account, items);
      this.#progress.say(
        `Before you import: this query must return nothing, or the history counts twice:\n  ${query}`,
      );
    }
    const fineFromSeconds = fineFromOf(nowSeconds);
    const manifest = { ...wanted, fineFromSeconds, written, days: [] };
    await folder.storeManifest(manifest);
    return manifest;
  }

  async #write(
    folder: OutputFolder,
    manifest: HistoryManifest,
    destination: Destination,
  ): Promise<Pick<VerificationOptions, 'manifest' | 'pasts'>> {
    const pasts = await pastsOf(folder, manifest);
    const signal = this.#signal;
    const { bytes, days } = await writeDays({
      folder,
      manifest,
      pasts,
      progress: this.#progress,
      signal,
      writeDay: dayWriter({ destination, folder, families, pasts, manifest, signal }),
    });
    const { output = '' } = this.#flags;
    this.#progress.say(summaryOf(destination, { bytes, items: pasts.length, output }));
    return { manifest: { ...manifest, days }, pasts };
  }

  #tellUnmeasured(items: readonly PastItem[]): void {
    const checks = items.filter(({ kind }) => kind === 'check');
    const unmeasured = checks.filter(({ responseTimes }) => responseTimes === undefined).length;
    if (unmeasured === 0) return;
    this.#progress.say(
      `The service did not report the response times of ${unmeasured} of ${plural(checks.length, 'check')}.`,
    );
  }

  #tell(what: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#progress.say(
      `${what}: ${plural(lines.length, 'check or transaction', 'checks or transactions')}.`,
    );
    for (const line of lines.slice(0, mostNamed)) this.#progress.say(`  ${line}`);
    const more = lines.length - mostNamed;
    if (more > 0) this.#progress.say(`  and ${more} more`);
  }
}

async function* itemsOf(job: ExporterJob): AsyncIterable<PastItem> {
  for await (const line of job.itemLines()) yield pastItemSchema.parse(JSON.parse(line));
}

/** Compares a history that was written earlier with the data of the server. */
async function verifyFolder(flags: BackfillFlags, means: Means): Promise<void> {
  const { output, prometheus } = flags;
  if (output === undefined) throw new UsageError('--output FOLDER is missing');
  if (prometheus === undefined) throw new UsageError('--prometheus URL is missing');
  const { clock, progress, signal } = means;
  const unfinished = `the history in ${output} is not written to its end: run the command without --verify first`;
  if (!OutputFolder.isHistory(output)) throw new UsageError(unfinished);
  const folder = await OutputFolder.open(output, formatInstant(unixSeconds(clock)));
  try {
    const manifest = folder.storedManifest();
    const pasts = manifest === undefined ? [] : await pastsOf(folder, manifest);
    if (manifest === undefined || !areAllWritten(manifest, pasts)) throw new UsageError(unfinished);
    const say = (text: string) => progress.say(text);
    const target = new Servers(flags, { clock, signal, say }).target(manifest.account);
    if (target !== undefined) await verify({ ...means, folder, manifest, pasts, target });
  } finally {
    folder.close();
  }
}

async function pastsOf(
  folder: OutputFolder,
  { account, written }: HistoryManifest,
): Promise<LabelledPast[]> {
  const pasts: LabelledPast[] = [];
  for await (const item of folder.items()) {
    const scrapeLabels = written[keyOf(item)];
    if (scrapeLabels !== undefined) pasts.push({ past: new Past(item), account, scrapeLabels });
  }
  return pasts;
}

function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}

function keyOf({ kind, id }: PastItem): string {
  return `${kind} ${id}`;
}

function requireInstant(flag: string, text: string): void {
  if (parseInstant(text) !== undefined) return;
  throw new UsageError(`${flag} must be ${instantForms}, not ${JSON.stringify(text)}`);
}
