import { UsageError } from '../../config/problems.ts';
import type { TimeRange } from '../../domain/interval.ts';
import { talliedStates } from '../../domain/interval.ts';
import { type Difference, differenceAtSeam, differenceInPast } from '../../history/verify.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { Random } from '../../lib/random.ts';
import type { LabelledPast } from './open-metrics.ts';
import type { PrometheusTarget } from './prometheus-target.ts';

const rangeCount = 10;
const [shortestSeconds, longestSeconds] = [7_200, 30 * 86_400];
/** The time before and after the first sight. */
const seamSeconds = [7_200, 6 * 3_600] as const;

interface VerifyOptions {
  readonly pasts: readonly LabelledPast[];
  readonly target: PrometheusTarget;
  readonly random: Random;
  readonly nowSeconds: number;
}

/**
 * Compares a server's samples with the states that the service reported: every sample of ten random
 * ranges of the past, and of the time around the first sight of the same checks. Resolves with a
 * sentence for people. Rejects with a `UsageError` that names each difference and a remedy.
 */
export async function verify({
  pasts,
  target,
  random,
  nowSeconds,
}: VerifyOptions): Promise<string> {
  const differences: string[] = [];
  const kinds = new Set<Difference['kind']>();
  const examined = new Set<string>();
  let samples = 0;
  for (let place = 0; place < rangeCount; place++) {
    const labelled = pasts[Math.floor(random() * pasts.length)];
    if (labelled === undefined) throw new UsageError('there is no history to be verified');
    const { item, range, spans, firstSeenSeconds } = labelled.past;
    const within = randomRange(range, random);
    const name = `${item.kind} ${item.id} (${item.labels.name})`;
    const isNew = !examined.has(name);
    examined.add(name);
    const hasSeam = isNew && range.toSeconds === firstSeenSeconds;
    for (const state of talliedStates) {
      const series = await target.samples(labelled, state, within);
      samples += series.reduce((sum, one) => sum + one.samples.length, 0);
      const found = [differenceInPast(series, spans, state, within)];
      if (hasSeam) {
        const fromSeconds = Math.max(range.fromSeconds, firstSeenSeconds - seamSeconds[0]);
        const toSeconds = Math.min(nowSeconds, firstSeenSeconds + seamSeconds[1]);
        const seam = await target.samples(labelled, state, { fromSeconds, toSeconds });
        found.push(differenceAtSeam(seam, spans, state, { fromSeconds, firstSeenSeconds }));
      }
      for (const difference of found) {
        if (difference === undefined) continue;
        kinds.add(difference.kind);
        differences.push(`  ${name}, state ${state}: ${textOf(difference)}`);
      }
    }
  }
  if (differences.length > 0) {
    const lines = [...new Set(differences)];
    throw new UsageError(
      ['The server differs from the history:', ...lines, ...adviceFor(kinds)].join('\n'),
    );
  }
  return `The server has what the service reported: ${samples.toLocaleString('en')} samples of ${rangeCount} random ranges of ${examined.size} checks and transactions, and the step to the live counters.`;
}

function randomRange({ fromSeconds, toSeconds }: TimeRange, random: Random) {
  const whole = toSeconds - fromSeconds;
  const length = Math.min(
    whole,
    Math.floor(shortestSeconds + random() * (Math.min(whole, longestSeconds) - shortestSeconds)),
  );
  const from = fromSeconds + Math.floor(random() * (whole - length));
  // Without the first sample of the live counter, which is 0.
  return { fromSeconds: from, toSeconds: from + length - 0.001 };
}

function textOf(difference: Difference): string {
  switch (difference.kind) {
    case 'missing': {
      const { fromSeconds, toSeconds } = difference.within;
      return fromSeconds === toSeconds
        ? `the sample 0 at the first sight, ${formatInstant(fromSeconds)}, is missing`
        : `samples are missing between ${whole(fromSeconds)} and ${whole(toSeconds)}`;
    }
    case 'doubled':
      return `there are ${difference.series} series where one is expected`;
    case 'wrong': {
      const { atSeconds, value, expected, isLimit } = difference;
      const right = isLimit
        ? `and it can be ${expected} at most`
        : `and the service reported ${expected}`;
      return `at ${whole(atSeconds)} the counter is ${value}, ${right}`;
    }
  }
}

function whole(seconds: number): string {
  return formatInstant(Math.round(seconds));
}

function adviceFor(kinds: ReadonlySet<Difference['kind']>): string[] {
  const lines: string[] = [];
  if (kinds.has('missing')) {
    lines.push(
      'Missing samples: import the files of these days again, or look at the retention of the server, which must be longer than the history, and at the owner of the blocks, which must be the user of Prometheus. New blocks are found within a minute, samples that were sent within some seconds.',
    );
  }
  if (kinds.has('doubled') || kinds.has('wrong')) {
    lines.push(
      'Other samples: the server has another history of the same checks. Delete the past of these checks in the server (in Prometheus with POST /api/v1/admin/tsdb/delete_series and the first sight as its end), and write the history again into a new folder.',
    );
  }
  return lines;
}
