import { z } from 'zod';
import { monitoredStates } from '../../domain/outage.ts';
import type { TransactionStateSpan, TransactionStates } from '../../domain/transaction-report.ts';
import { present } from '../../lib/present.ts';
import type { Listing } from '../service.ts';
import { dateTime } from './date-time.ts';
import { arrayIn } from './envelope.ts';
import { identifier, integer, number, text, wordOf } from './fields.ts';
import { decodeList, positiveInteger } from './keyed-list.ts';
import { spanKey, withoutOverlaps } from './spans.ts';

/** API 3.1, section 2.11. */
const wireSpan = z.object({ status: text, from: dateTime, to: dateTime, error_in_step: number });

const spanList = {
  decode: (entry: unknown): TransactionStateSpan | undefined => {
    const wire = wireSpan.safeParse(entry).data;
    if (wire === undefined || wire.from > wire.to) return undefined;
    return present({
      state: wordOf(monitoredStates, wire.status),
      fromSeconds: wire.from,
      toSeconds: wire.to,
      failedStep: failedStepOf(integer(wire.error_in_step)),
    });
  },
  needs: { from: 'a date-time', to: 'a date-time not before from' },
  keyOf: spanKey,
};

function failedStepOf(step: number | undefined): number | undefined {
  return step !== undefined && step >= 0 ? step : undefined;
}

/** The states of the report of one transaction. Fails with reason `shape`. */
export function decodeTransactionSpans(
  report: unknown,
  operation: string,
): Listing<TransactionStateSpan> {
  const field = 'states';
  const entries = arrayIn(report, field, operation);
  return withoutOverlaps(decodeList(entries, { operation, field, ...spanList }), field);
}

const wireReport = z.object({ check_id: identifier, states: z.array(z.unknown()).nullish() });

export interface TransactionReport {
  readonly transactionId: number;
  readonly spans: Listing<TransactionStateSpan>;
}

/** The reports of all transactions. One without states has none, as after a transaction was paused. */
export const reportList = {
  field: 'report',
  decode: (entry: unknown): TransactionReport | undefined => {
    const wire = wireReport.safeParse(entry).data;
    if (wire === undefined) return undefined;
    const field = `report of ${wire.check_id}: states`;
    const options = { operation: '', field, nested: true, ...spanList };
    const spans = decodeList(wire.states ?? [], options);
    return { transactionId: wire.check_id, spans: withoutOverlaps(spans, field) };
  },
  needs: { check_id: positiveInteger, states: 'an array' },
  keyOf: ({ transactionId }: TransactionReport) => transactionId,
};

export function statesOf(reports: Listing<TransactionReport>): Listing<TransactionStates> {
  return {
    items: reports.items.map(({ transactionId, spans }) => ({
      transactionId,
      ...(spans.rejected.length === 0 && { states: spans.items }),
    })),
    rejected: [...reports.rejected, ...reports.items.flatMap(({ spans }) => spans.rejected)],
  };
}
