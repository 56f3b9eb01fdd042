import type { Check } from '../domain/check.ts';
import type { Horizon } from './advance.ts';
import {
  type AwaitedReport,
  awaitingReport,
  nothingAwaited,
  stillAwaited,
} from './awaited-report.ts';
import { longestLagSeconds } from './list-times.ts';
import {
  type ReportedHorizon,
  type ReportTimes,
  secondOpinionSeconds,
} from './reported-horizon.ts';
import type { StateTally } from './state-tally.ts';

const firstDelaySeconds = 60;
const longestDelaySeconds = 1_800;

interface PendingReport {
  awaited: AwaitedReport;
  /** The number of reports that did not settle everything. */
  attempts: number;
  /** The report is not requested before this time; monotonic milliseconds. */
  askFrom: number;
  firstRequestedAtSeconds: number | undefined;
  /** Per failed test: when a report first reached it without an outage. UNIX seconds. */
  doubted: ReadonlyMap<number, number>;
}

/**
 * The checks for which an outage report is awaited. A report that lags behind its list, or lacks an
 * outage, is requested again: after one minute, then after twice the last delay, up to half an
 * hour; not before the missing time has passed, nor within five minutes of an unexplained error.
 */
export class PendingReports {
  readonly #reports = new Map<number, PendingReport>();
  /** Maintenance is unknown, so nothing may be recorded now. Evidence is still collected. */
  isHeld = false;

  /** A list shows that an outage report is needed. `now`: monotonic milliseconds. */
  show(id: number, report: Horizon, tally: StateTally, check: Check, now: number): void {
    const known = this.#reports.get(id);
    // The report of a pause is not complete before the longest lag is over.
    const wait = report.state === 'unmonitored' ? longestLagSeconds * 1000 : 0;
    const pending = known ?? {
      awaited: nothingAwaited,
      attempts: 0,
      askFrom: now + wait,
      firstRequestedAtSeconds: undefined,
      doubted: new Map(),
    };
    pending.awaited = awaitingReport(pending.awaited, report, tally, check);
    if (pending.attempts === 0) pending.askFrom = Math.min(pending.askFrom, now + wait);
    this.#reports.set(id, pending);
  }

  /** The checks whose report must be requested now; `now` is in monotonic milliseconds. */
  due(now: number): number[] {
    if (this.isHeld) return [];
    return [...this.#reports].flatMap(([id, { askFrom }]) => (askFrom <= now ? id : []));
  }

  /**
   * The facts that the report of a check must agree with, after everything up to `horizonSeconds`
   * was recorded. Undefined if no report is awaited, or if nothing may be recorded now.
   */
  awaitedOf(id: number, horizonSeconds: number): AwaitedReport | undefined {
    const pending = this.#reports.get(id);
    if (pending === undefined || this.isHeld) return undefined;
    const awaited = stillAwaited(pending.awaited, horizonSeconds);
    if (awaited === undefined) this.#reports.delete(id);
    else pending.awaited = awaited;
    return awaited;
  }

  /** The times of a report that is asked for at `requestedAtSeconds`, by the service's clock. */
  asked(id: number, requestedAtSeconds: number): ReportTimes {
    const pending = this.#reports.get(id);
    const firstRequestedAtSeconds = pending?.firstRequestedAtSeconds ?? requestedAtSeconds;
    if (pending !== undefined) pending.firstRequestedAtSeconds = firstRequestedAtSeconds;
    return { requestedAtSeconds, firstRequestedAtSeconds, doubted: pending?.doubted ?? new Map() };
  }

  /** A report was read and recorded up to `horizonSeconds`. `now`: monotonic milliseconds. */
  answered(
    id: number,
    { unexplainedErrors, missingSeconds }: ReportedHorizon,
    { requestedAtSeconds }: ReportTimes,
    horizonSeconds: number,
    now: number,
  ): void {
    if (this.awaitedOf(id, horizonSeconds) === undefined && !this.isHeld) return;
    const pending = this.#reports.get(id);
    if (pending === undefined) return;
    const before = pending.doubted;
    pending.doubted = new Map(
      unexplainedErrors.map((error) => [error, before.get(error) ?? requestedAtSeconds]),
    );
    const backoff = firstDelaySeconds * 2 ** pending.attempts;
    const least = unexplainedErrors.length > 0 ? secondOpinionSeconds : missingSeconds;
    pending.attempts += 1;
    pending.askFrom = now + Math.min(longestDelaySeconds, Math.max(backoff, least)) * 1000;
  }

  /** The checks for which a report is awaited. */
  ids(): readonly number[] {
    return [...this.#reports.keys()];
  }

  delete(id: number): void {
    this.#reports.delete(id);
  }
}
