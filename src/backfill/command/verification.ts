import { UsageError } from '../../config/problems.ts';
import { type Sleeper, unixSeconds, type WallClock } from '../../lib/clock.ts';
import { plural } from '../../lib/format-number.ts';
import { hashUnit, type Random } from '../../lib/random.ts';
import type { Progress } from '../../remote/progress.ts';
import type { Difference } from '../series/verify.ts';
import { type Destination, destinationKind } from './destination.ts';
import type { LabelledPast } from './open-metrics.ts';
import type { HistoryManifest, OutputFolder } from './output-folder.ts';
import type { PrometheusTarget } from './prometheus-target.ts';
import { type Comparison, compare, lineOf } from './verify.ts';
import { daysWithin } from './write-days.ts';

/** Prometheus finds blocks within a minute. Other servers show samples after some seconds. */
const pausesInSeconds = [1, 2, 5, 10, 20, 30];
/** At most this many differences are shown. */
const mostShown = 50;

export interface VerificationOptions {
  /** Locked for this command. */
  readonly folder: OutputFolder;
  /** Of a history that is written to its end. */
  readonly manifest: HistoryManifest;
  readonly pasts: readonly LabelledPast[];
  readonly target: PrometheusTarget;
  readonly random: Random;
  readonly clock: WallClock & Sleeper;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Compares a server with the report of the service. Rejects with a `UsageError` that has each
 * difference and a remedy. Days with missing samples then count as not written, so that the command
 * writes them again.
 */
export async function verify(options: VerificationOptions): Promise<void> {
  const { folder, manifest, progress } = options;
  const { samples, items, differences } = await patiently(options);
  if (differences.length === 0) {
    progress.say(
      `The server has what the service reported: ${samples.toLocaleString('en')} samples of random ranges of ${plural(items, 'check or transaction', 'checks and transactions')}, and the step to the live counters.`,
    );
    return;
  }
  const missing = differences.flatMap(({ difference }) =>
    difference.kind === 'missing' ? daysWithin(difference.within) : [],
  );
  const reopened = new Set(missing);
  if (reopened.size > 0) {
    const days = manifest.days.filter((day) => !reopened.has(day));
    await folder.storeManifest({ ...manifest, days });
  }
  const lines = differences.slice(0, mostShown).map((difference) => `  ${lineOf(difference)}`);
  const more = differences.length - lines.length;
  const kinds = new Set(differences.map(({ difference }) => difference.kind));
  throw new UsageError(
    [
      'The server differs from the history:',
      ...lines,
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...adviceFor(kinds, reopened.size, manifest.destination),
    ].join('\n'),
  );
}

/** Compares the same ranges again, for a minute, while samples are missing. */
async function patiently(options: VerificationOptions): Promise<Comparison> {
  const { manifest, pasts, target, random, clock, progress, signal } = options;
  const { fineFromSeconds } = manifest;
  const seed = Math.floor(random() * 2 ** 32);
  for (let look = 0; ; look++) {
    let place = 0;
    const comparison = await compare({
      pasts,
      target,
      fineFromSeconds,
      nowSeconds: unixSeconds(clock),
      random: () => hashUnit(seed, place++),
    });
    const kinds = comparison.differences.map(({ difference }) => difference.kind);
    const isLate = kinds.length > 0 && kinds.every((kind) => kind === 'missing');
    const pause = pausesInSeconds[look];
    if (!isLate || pause === undefined) return comparison;
    if (look === 0) progress.say('Samples are missing so far; looking again for a minute.');
    await clock.sleep(pause * 1000, signal);
  }
}

const importedAlso =
  'look at the retention of the server, which must be longer than the history, and at the owner of the blocks, which must be the user of Prometheus';

/** What the same command does with the days that are incomplete, and what else can be wrong. */
const remedies: Readonly<Record<Destination['kind'], readonly [again: string, also: string]>> = {
  files: ['it writes the files of these days again. Then import them with promtool', importedAlso],
  blocks: ['it imports these days again', importedAlso],
  remote: [
    'it sends these days again',
    'look at the retention of the server: some servers drop samples that are older without an error',
  ],
};

function adviceFor(
  kinds: ReadonlySet<Difference['kind']>,
  days: number,
  destination: string,
): string[] {
  const lines: string[] = [];
  if (kinds.has('missing')) {
    const [again, also] = remedies[destinationKind(destination)];
    lines.push(
      `Missing samples, of ${days === 1 ? '1 day' : `${days} days`}: run the command that wrote the history again, without --verify; ${again}. If they are missing after that, ${also}.`,
    );
  }
  if (kinds.has('doubled') || kinds.has('wrong')) {
    lines.push(
      'Other samples: the server has another history of the same checks. Delete the past of these checks in the server (in Prometheus with POST /api/v1/admin/tsdb/delete_series and the first sight as its end), and write the history again into a new folder.',
    );
  }
  if (kinds.has('jump')) {
    lines.push(
      'A jump at the first sight: the exporter left out other maintenance than the service reported for the history, for example because a maintenance window was deleted in between. Counters are not affected.',
    );
  }
  return lines;
}
