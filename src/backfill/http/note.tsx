import type { VNode } from 'preact';
import { doneText } from '../../http/common/done-text.ts';
import { Moment } from '../../http/common/format.tsx';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { BackfillView } from '../job/control.ts';
import { backfillState } from './handlers.ts';

/** How long a finished job is shown, so that its history can be written. */
const shownSeconds = 7 * 86_400;

/** The progress of the backfill job, and the next step; null if there is nothing to tell. */
export function backfillNote(backfill: BackfillView, nowSeconds: number): VNode | null {
  const { fromSeconds } = backfill;
  // In the form that `--from` takes.
  const fromOption = formatInstant(fromSeconds).replace('T00:00:00Z', '');
  const since = fromOption.includes('T') ? <Moment at={fromSeconds} toTheMinute /> : fromOption;
  if (backfillState(backfill) !== 'done') {
    return (
      <p class="rest">
        The history since {since} is being read: {readText(backfill)}
        {doneText(backfill, nowSeconds)}.
      </p>
    );
  }
  if (nowSeconds > backfill.requestedAtSeconds + shownSeconds) return null;
  return (
    <p class="rest">
      The history since {since} has been read: {readText(backfill)}. Its months are in the report,
      and{' '}
      <code>
        uptime-exporter backfill --from {fromOption}
        {backfill.responseTimes && ' --response-times'}
      </code>{' '}
      writes it for Prometheus.
    </p>
  );
}

/** Returns text such as `5 of 9 checks and transactions (1 refused by the service)`. */
function readText({ items, read, incomplete, refused, gone, waiting }: BackfillView): string {
  const exceptions = [
    incomplete.length > 0 && `${formatDecimal(incomplete.length)} with unreadable entries`,
    refused > 0 && `${formatDecimal(refused)} refused by the service`,
    gone > 0 && `${formatDecimal(gone)} deleted`,
    waiting > 0 && `${formatDecimal(waiting)} first seen too recently`,
  ].filter((text) => text !== false);
  const whole = `${formatDecimal(read)} of ${plural(items, 'check or transaction', 'checks and transactions')}`;
  return exceptions.length === 0 ? whole : `${whole} (${exceptions.join(', ')})`;
}
