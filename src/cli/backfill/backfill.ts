import { setMaxListeners } from 'node:events';
import { UsageError } from '../../config/problems.ts';
import type { PastItem } from '../../history/past-item.ts';
import { pastGaugeFamilies } from '../../history/past-ratios.ts';
import { Past, pastCounterFamilies } from '../../history/past-series.ts';
import { pastResponseTimeFamily } from '../../history/response-time-series.ts';
import { fineFromOf } from '../../history/sample-times.ts';
import { type Clock, systemClock, unixSeconds } from '../../lib/clock.ts';
import { formatInstant, instantForms, parseInstant } from '../../lib/instant.ts';
import { present } from '../../lib/present.ts';
import type { Random } from '../../lib/random.ts';
import type { Terminal } from '../terminal.ts';
import { type Destination, dayWriter, destinationText, summaryOf } from './destination.ts';
import { describeCost } from './estimate.ts';
import { ExporterJob } from './exporter-job.ts';
import type { BackfillFlags } from './flags.ts';
import { excuse, Judge, olderSamplesQuery, readLabels } from './judge.ts';
import type { LabelledPast } from './open-metrics.ts';
import { type HistoryManifest, OutputFolder, type WantedHistory } from './output-folder.ts';
import { Progress } from './progress.ts';
import { Servers } from './servers.ts';
import { verify } from './verify.ts';
import { isComplete, writeDays } from './write-days.ts';

/** Counters first: a file has the families in this order. */
const families = [...pastCounterFamilies, ...pastGaugeFamilies, pastResponseTimeFamily];
/** The number of unwritten items that are listed by name; the others are counted. */
const mostNamed = 50;

/**
 * Brings the past of an account into files for Prometheus, into its blocks, or to a server with remote write. Interrupted, it continues
 * when it is called again.
 */
export async function backfill(
  terminal: Terminal,
  flags: BackfillFlags,
  clock: Clock = systemClock,
  random: Random = Math.random,
): Promise<void> {
  const stopping = new AbortController();
  // Every request listens to it until its response is collected as garbage.
  setMaxListeners(0, stopping.signal);
  void terminal.untilStopped().then((signal) => stopping.abort(new Interrupted(signal)));
  const progress = new Progress(terminal.stderr, clock);
  try {
    const { from } = flags;
    const { signal } = stopping;
    if (flags.verify) {
      await verifyFolder({ flags, clock, progress, signal, random });
    } else if (from === undefined) {
      throw new UsageError('--from DATE is missing, such as --from 2025-11-01');
    } else {
      await new Backfill({ ...flags, from }, clock, progress, signal).run();
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    throw new UsageError('interrupted; run the same command again to continue');
  } finally {
    progress.end();
  }
}

class Interrupted extends Error {}

/** The beginning is stored with the history, and not needed to verify it. */
type WritingFlags = BackfillFlags & { readonly from: string };

class Backfill {
  readonly #flags: WritingFlags;
  readonly #clock: Clock;
  readonly #progress: Progress;
  readonly #signal: AbortSignal;
  readonly #servers: Servers;
  readonly #job: ExporterJob;

  constructor(flags: WritingFlags, clock: Clock, progress: Progress, signal: AbortSignal) {
    this.#flags = flags;
    this.#clock = clock;
    this.#progress = progress;
    this.#signal = signal;
    this.#servers = new Servers(flags, clock, signal);
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

  async run(): Promise<void> {
    const { plan, output, from, to, prometheus, label, responseTimes = false } = this.#flags;
    const nowSeconds = unixSeconds(this.#clock);
    const days = Math.ceil((nowSeconds - (parseInstant(from) ?? nowSeconds)) / 86_400) + 1;
    const destination = this.#servers.destination(days);
    const { account, cost } = await this.#job.cost();
    this.#progress.say(describeCost(cost, { from, nowSeconds, responseTimes }));
    if (plan) return;
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
    const wanted = {
      ...{ account, from, options: label.join(' '), responseTimes },
      ...{ destination: destinationText(destination), ...present({ to }) },
    };
    const folder = await OutputFolder.open(output, formatInstant(nowSeconds));
    try {
      const begun = folder.manifest(wanted);
      if (!folder.hasItems) {
        await this.#job.finish(this.#progress);
        await folder.storeItems(this.#job.items());
      }
      const manifest = begun ?? (await this.#judged(folder, wanted));
      await this.#write(folder, manifest, destination);
    } finally {
      folder.close();
    }
  }

  /** Decides what is written, and stores that: whatever changes from now on, the files do not. */
  async #judged(folder: OutputFolder, wanted: WantedHistory): Promise<HistoryManifest> {
    const { label, only, remoteWrite } = this.#flags;
    const nowSeconds = unixSeconds(this.#clock);
    const { account } = wanted;
    const target = this.#servers.target(account);
    const scrapeLabels = readLabels(label);
    const isSent = remoteWrite !== undefined;
    const judge = await Judge.create({ nowSeconds, scrapeLabels, isSent, ...present({ target }) });
    const written: Record<string, Readonly<Record<string, string>>> = {};
    const excuses: string[] = [];
    const items: PastItem[] = [];
    for await (const item of folder.items()) {
      this.#signal.throwIfAborted();
      if (only.length > 0 && !only.includes(item.id)) continue;
      const judged = await judge.judge(item);
      if (judged.kind === 'write') {
        written[keyOf(item)] = judged.scrapeLabels;
        items.push(item);
      } else {
        excuses.push(excuse(item, judged));
      }
    }
    this.#tell(excuses);
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
  ): Promise<void> {
    const pasts = await pastsOf(folder, manifest);
    const signal = this.#signal;
    const bytes = await writeDays({
      ...{ folder, manifest, pasts, progress: this.#progress, signal },
      writeDay: dayWriter({ destination, folder, families, pasts, manifest, signal }),
    });
    const { output = '' } = this.#flags;
    this.#progress.say(summaryOf(destination, { bytes, items: pasts.length, output }));
  }

  #tellUnmeasured(items: readonly PastItem[]): void {
    const checks = items.filter(({ kind }) => kind === 'check');
    const unmeasured = checks.filter(({ responseTimes }) => responseTimes === undefined).length;
    if (unmeasured === 0) return;
    this.#progress.say(
      `The service did not report the response times of ${unmeasured} of ${checks.length} checks.`,
    );
  }

  #tell(excuses: readonly string[]): void {
    if (excuses.length === 0) return;
    this.#progress.say(`Not written: ${excuses.length} checks or transactions.`);
    for (const line of excuses.slice(0, mostNamed)) this.#progress.say(`  ${line}`);
    const more = excuses.length - mostNamed;
    if (more > 0) this.#progress.say(`  and ${more} more`);
  }
}

interface VerifyOptions {
  readonly flags: BackfillFlags;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly random: Random;
}

/** Compares a history that was written before with what the server has. */
async function verifyFolder({ flags, clock, progress, signal, random }: VerifyOptions) {
  const { output, prometheus } = flags;
  if (output === undefined) throw new UsageError('--output FOLDER is missing');
  if (prometheus === undefined) throw new UsageError('--prometheus URL is missing');
  const folder = new OutputFolder(output);
  const manifest = folder.storedManifest();
  const pasts = manifest === undefined ? [] : await pastsOf(folder, manifest);
  if (manifest === undefined || !isComplete(manifest, pasts)) {
    throw new UsageError(
      `the history in ${output} is not written to its end: run the command without --verify first`,
    );
  }
  const target = new Servers(flags, clock, signal).target(manifest.account);
  if (target === undefined) return;
  const nowSeconds = unixSeconds(clock);
  progress.say(await verify({ pasts, target, random, nowSeconds }));
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

function keyOf({ kind, id }: PastItem): string {
  return `${kind} ${id}`;
}

function requireInstant(flag: string, text: string): void {
  if (parseInstant(text) !== undefined) return;
  throw new UsageError(`${flag} must be ${instantForms}, not ${JSON.stringify(text)}`);
}
