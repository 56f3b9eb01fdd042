import type { AccountData } from '../domain/account.ts';
import type { TimeRange } from '../domain/interval.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { spansSince } from '../slo/state-log.ts';
import { clip, lateMaintenance, subtract } from '../tally/maintenance-tally.ts';
import { addSpans, noSeconds } from '../tally/state-tally.ts';
import type { TotalsChange } from './commit-queue.ts';
import type { CheckTotals } from './items/totals.ts';
import { occurrencesByItem } from './maintenance.ts';
import { correctedPast, type ReadTimes } from './maintenance-edits.ts';

type KnownMaintenance = NonNullable<AccountData['maintenance']>;

/** Maintenance as it was read from the service. */
export type MaintenanceRead = Pick<KnownMaintenance, 'windows' | 'occurrences'>;

/** Counted maintenance is stored for this time, which is longer than any report reaches back. */
const countedSeconds = 36 * 86_400;
/** Comparing two months of nightly maintenance of this many checks takes some twenty milliseconds. */
const checksPerSlice = 250;

export function sameMaintenance(known: KnownMaintenance | undefined, read: MaintenanceRead) {
  return (
    known !== undefined &&
    plainEqual(known.windows, read.windows) &&
    plainEqual(known.occurrences, read.occurrences)
  );
}

/** The changes of totals after maintenance was read again. */
export async function maintenanceChange(
  known: KnownMaintenance | undefined,
  read: MaintenanceRead,
  records: Iterable<{ readonly entry: { readonly id: number }; readonly totals: CheckTotals }>,
  times: ReadTimes,
): Promise<TotalsChange> {
  const next = { ...read, ...correctedPast(read, known, times) };
  const [before, after] = [occurrencesByItem('check', known), occurrencesByItem('check', next)];
  const checks = new Map<number, CheckTotals>();
  const counted: Record<string, readonly TimeRange[]> = {};
  let seen = 0;
  for (const { entry, totals } of records) {
    if (++seen % checksPerSlice === 0) await yieldToEventLoop();
    const { id } = entry;
    const inEffect = after(id);
    // Without the stored maintenance nothing says which of the time was counted. Counting some of it
    // twice would show more maintenance than there was, so all of it is taken as counted.
    const isLost = known === undefined && totals.maintenance !== undefined;
    const wasCounted = isLost
      ? [{ fromSeconds: 0, toSeconds: totals.states.horizonSeconds }]
      : [...before(id), ...(known?.counted?.[id] ?? [])];
    if (inEffect.length === 0 && wasCounted.length === 0) continue;
    const late = lateMaintenance(
      spansSince(totals, totals.states.startSeconds),
      wasCounted,
      inEffect,
    );
    if (late.length > 0) {
      const maintenance = addSpans(totals.maintenance ?? noSeconds, late);
      checks.set(id, { ...totals, maintenance });
    }
    const { horizonSeconds } = totals.states;
    const past = clip(wasCounted, horizonSeconds - countedSeconds, horizonSeconds);
    const over = subtract(past, inEffect);
    if (over.length > 0) counted[id] = over;
  }
  const hasCounted = Object.keys(counted).length > 0;
  return { checks, maintenance: { ...next, ...(hasCounted && { counted }) } };
}
