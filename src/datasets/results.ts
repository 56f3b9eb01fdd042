import { type Check, isTested } from '../domain/check.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { Probe, Result } from '../domain/results.ts';
import { present } from '../lib/present.ts';
import { whole } from '../lib/whole.ts';
import {
  alreadyKnown,
  type ItemRefresh,
  nothingLeft,
  type RefreshResult,
  result,
} from '../schedule/refresh.ts';
import { notesOfResults, quantilesOf } from '../slo/last-outages.ts';
import type { AccountState } from '../state/account-state.ts';
import type { CheckTotals } from '../state/items/totals.ts';
import { countriesOf } from '../tally/country-tally.ts';
import { withoutLateResults, withTestBefore } from '../tally/late-results.ts';
import { countResults } from '../tally/result-tally.ts';
import { nextRange } from '../tally/watermark.ts';
import type { RefreshContext } from './refresh-context.ts';

const minReachSeconds = 3_600;
const defaultResolutionSeconds = 60;
/** The API limits a response to 1,000 results (API 3.1, section 4.4); some are read twice. */
const maxResultsPerResponse = 900;

/**
 * Reads the raw results of one check since its watermark, one response at a time. If results are
 * counted by country, they wait for the probe list, because a result that was counted without its
 * country is never counted again.
 */
export function refreshResults(context: RefreshContext): ItemRefresh {
  const { service, state, serviceTime, byCountry } = context;

  /** Reads the causes of an outage, uncounted. */
  async function readCauses(
    id: number,
    { fromSeconds, toSeconds }: TimeRange,
    signal: AbortSignal,
  ): Promise<RefreshResult> {
    const { resolutionSeconds = defaultResolutionSeconds } = state.checks.get(id)?.entry ?? {};
    const end = Math.min(
      serviceTime.passedSeconds(),
      toSeconds,
      fromSeconds + maxResultsPerResponse * resolutionSeconds,
    );
    const { items, rejected } = await service.listResults(
      { checkId: id, fromSeconds, toSeconds: Math.max(fromSeconds, end) },
      signal,
    );
    keepNotes(state, id, items);
    return result(items.length, rejected);
  }

  const refresh: ItemRefresh = async (id, signal, allRead) => {
    const record = state.checks.get(id);
    if (record === undefined) return nothingLeft;
    const wanted = state.causes.wantedResults(record);
    if (wanted !== undefined) {
      const read = await readCauses(id, wanted, signal);
      state.causes.resultsRead(record, wanted);
      // A question took the turn of the results that are counted.
      return wanted.asked === undefined ? read : { ...read, events: [{ dataset: 'results', id }] };
    }
    const { entry, totals } = record;
    const { resolutionSeconds = defaultResolutionSeconds, lastErrorAtSeconds } = entry;
    const { watermark } = totals.results;
    const reach = maxResultsPerResponse * resolutionSeconds;
    const now = serviceTime.passedSeconds();
    const range = nextRange(watermark, now, Math.max(minReachSeconds, reach));
    if (range === undefined) return nothingLeft;

    const listedAtSeconds = Math.floor(
      now - (state.ageSeconds('checks', 'account') ?? Number.POSITIVE_INFINITY),
    );
    const untested =
      !state.checks.isMissing(id) &&
      listedAtSeconds >= range.toSeconds &&
      hasNoTest(entry, totals, range);
    const asked = withTestBefore(watermark, range, resolutionSeconds);
    const { items, rejected } = untested
      ? { items: [], rejected: [] }
      : await service.listResults({ checkId: id, ...asked }, signal);
    allRead?.();
    // The list lacks tests that are younger than its own delay.
    const readAtSeconds = untested ? listedAtSeconds : now;
    const listed = { listedAtSeconds, resolutionSeconds, ...present({ lastErrorAtSeconds }) };
    const complete = withoutLateResults(watermark, range, items, listed, readAtSeconds);
    const countryOf = byCountry ? countriesOf(knownProbes(state)) : undefined;
    await state.totals.commitCheck(id, (latest) => ({
      ...latest,
      results: countResults(latest.results, complete, items, countryOf),
    }));
    const quantiles = quantilesOf(asked, items);
    if (quantiles !== undefined) state.setDetail('check', id, 'quantiles', quantiles);
    keepNotes(state, id, items);
    const behind = nextRange({ ...watermark, atSeconds: whole(range.toSeconds) }, now, 1);
    const entries = items.length;
    return {
      ...(untested ? alreadyKnown(entries) : result(entries, rejected)),
      isUnfinished: behind !== undefined,
    };
  };
  const missingDependency = () =>
    byCountry && state.accountData.probes === undefined ? 'probes' : undefined;
  return Object.assign(refresh, { missingDependency });
}

function keepNotes(state: AccountState, id: number, items: readonly Result[]): void {
  const notes = state.checks.get(id)?.details.notes?.value;
  const noted = notesOfResults(notes, items);
  if (noted !== notes && noted.length > 0) state.setDetail('check', id, 'notes', noted);
}

function knownProbes({ accountData }: AccountState): readonly Probe[] {
  if (accountData.probes === undefined) throw new Error('the probe list is not there');
  return accountData.probes;
}

/**
 * Returns whether the list, read after the end of the range, shows no test in it. It may not show
 * tests whose result is unknown, so lists must have shown a paused check since the range began.
 */
function hasNoTest(
  { status, lastTestAtSeconds }: Check,
  { states: { pausedSinceSeconds } }: CheckTotals,
  { fromSeconds }: TimeRange,
): boolean {
  if (lastTestAtSeconds === undefined) return true;
  if (lastTestAtSeconds >= fromSeconds) return false;
  if (isTested(status)) return true;
  return pausedSinceSeconds !== undefined && pausedSinceSeconds <= fromSeconds;
}
