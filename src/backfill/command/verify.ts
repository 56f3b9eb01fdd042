import { UsageError } from '../../config/problems.ts';
import type { TimeRange } from '../../domain/interval.ts';
import { talliedStates } from '../../domain/interval.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { Random } from '../../lib/random.ts';
import { errorBudgetRange, errorRanges } from '../../slo/range-seconds.ts';
import {
  type Difference,
  differencesAtSeam,
  differencesInPast,
  differencesOfRatio,
  ReportedRatios,
  ratioRange,
} from '../series/verify.ts';
import { nameOf } from './judge.ts';
import type { LabelledPast } from './open-metrics.ts';
import type { PrometheusTarget } from './prometheus-target.ts';

const rangeCount = 10;
const [shortestSeconds, longestSeconds] = [7_200, 30 * 86_400];
/** The time before and after the first sight. */
const seamSeconds = [7_200, 6 * 3_600] as const;

interface VerifyOptions {
  readonly pasts: readonly LabelledPast[];
  /** The time from which the history has error ratios. */
  readonly fineFromSeconds: number;
  readonly target: PrometheusTarget;
  readonly random: Random;
  readonly nowSeconds: number;
}

/** What a server has of a history, compared with the report of the service. */
export interface Comparison {
  readonly samples: number;
  readonly items: number;
  readonly differences: readonly NamedDifference[];
}

interface NamedDifference {
  /** The item, and what differs: `check 7 (Shop), state down`. */
  readonly name: string;
  readonly difference: Difference;
}

/**
 * Compares every sample of ten random ranges of the past, and of the time around the first sight of
 * the same items: seconds by state, error ratios and error budgets.
 */
export async function compare(options: VerifyOptions): Promise<Comparison> {
  const { pasts, random } = options;
  const examined = new Set<LabelledPast>();
  const differences = new Map<string, NamedDifference>();
  let samples = 0;
  for (let place = 0; place < rangeCount; place++) {
    const labelled = pasts[Math.floor(random() * pasts.length)];
    if (labelled === undefined) throw new UsageError('there is no history to be verified');
    const { item, range, firstSeenSeconds } = labelled.past;
    const hasSeam = !examined.has(labelled) && range.toSeconds === firstSeenSeconds;
    examined.add(labelled);
    for (const found of [
      await compareStates(labelled, hasSeam, options),
      await compareRatios(labelled, hasSeam, options),
    ]) {
      samples += found.samples;
      for (const { name, difference } of found.differences) {
        const named = {
          name: `${nameOf(item)}, ${name}`,
          difference,
        };
        differences.set(lineOf(named), named);
      }
    }
  }
  return { samples, items: examined.size, differences: [...differences.values()] };
}

type Found = Omit<Comparison, 'items'>;

async function compareStates(
  labelled: LabelledPast,
  hasSeam: boolean,
  { target, random, nowSeconds }: VerifyOptions,
): Promise<Found> {
  const { item, range, spans, firstSeenSeconds } = labelled.past;
  const family = `uptime_${item.kind}_state_seconds_total`;
  const within = randomRange(range, random);
  const differences: NamedDifference[] = [];
  let samples = 0;
  for (const state of talliedStates) {
    const series = await target.samples(labelled, family, { state }, within);
    samples += countOf(series);
    const found = differencesInPast(series, spans, state, within);
    if (hasSeam) {
      const fromSeconds = Math.max(range.fromSeconds, firstSeenSeconds - seamSeconds[0]);
      const toSeconds = Math.min(nowSeconds, firstSeenSeconds + seamSeconds[1]);
      const seam = await target.samples(labelled, family, { state }, { fromSeconds, toSeconds });
      found.push(...differencesAtSeam(seam, spans, state, { fromSeconds, firstSeenSeconds }));
    }
    differences.push(...found.map((difference) => ({ name: `state ${state}`, difference })));
  }
  return { samples, differences };
}

async function compareRatios(
  labelled: LabelledPast,
  hasSeam: boolean,
  { target, random, nowSeconds, fineFromSeconds }: VerifyOptions,
): Promise<Found> {
  const { past } = labelled;
  const whole = ratioRange(past, fineFromSeconds);
  if (whole === undefined) return { samples: 0, differences: [] };
  const reported = new ReportedRatios(past);
  const within = randomRange(whole, random);
  const { kind } = past.item;
  const family = `uptime_${kind}_error_ratio`;
  const differences: NamedDifference[] = [];
  const ratios = await target.samples(labelled, family, {}, within);
  for (const range of errorRanges) {
    const series = ratios.filter(({ labels }) => labels.window === range);
    const found = differencesOfRatio(series, within, (at) => reported.at(range, at));
    differences.push(...found.map((difference) => ({ name: ratioName(range), difference })));
  }
  if (hasSeam) {
    const toSeconds = Math.min(nowSeconds, past.firstSeenSeconds + seamSeconds[1]);
    const seam = { fromSeconds: past.firstSeenSeconds, toSeconds };
    const live = await target.samples(labelled, family, { window: errorBudgetRange }, seam);
    const found = reported.jumpIn(live);
    const name = ratioName(errorBudgetRange);
    differences.push(...found.map((difference) => ({ name, difference })));
  }
  const budgetFamily = `uptime_${kind}_error_budget_remaining_ratio`;
  const budgets = await target.samples(labelled, budgetFamily, {}, within);
  const found = differencesOfRatio(budgets, within, (at) => reported.budgetAt(at));
  differences.push(...found.map((difference) => ({ name: 'error budget left', difference })));
  return { samples: countOf(ratios) + countOf(budgets), differences };
}

function ratioName(range: string): string {
  return `error ratio of ${range}`;
}

function countOf(series: readonly { readonly samples: readonly unknown[] }[]): number {
  return series.reduce((sum, { samples }) => sum + samples.length, 0);
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

/** A difference as text for people. */
export function lineOf({ name, difference }: NamedDifference): string {
  return `${name}: ${textOf(difference)}`;
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
      return `at ${whole(atSeconds)} the server has ${value}, ${right}`;
    }
    case 'jump': {
      const { atSeconds, value, least, most } = difference;
      return `at ${whole(atSeconds)}, after the first sight, it is ${value}; after the reported past it can be from ${least} to ${most}`;
    }
  }
}

function whole(seconds: number): string {
  return formatInstant(Math.round(seconds));
}
