import { z } from 'zod';
import { monitoredStates, type TimeRange } from '../../domain/interval.ts';
import type { TransactionStateSpan, TransactionStates } from '../../domain/transaction.ts';
import { dateTime, enumValueOf, identifier, integer, number, text } from '../decoding/fields.ts';
import { decodedBy, decodeList, positiveInteger, readList } from '../list.ts';
import { joinedSpans, readInParts } from '../long-reports.ts';
import { dateTimeRangeParameters, type Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { spanKey, withoutOverlaps } from './outages.ts';

/** API 3.1, section 2.11. */
const wireTransactionSpan = z.object({
  status: text,
  from: dateTime,
  to: dateTime,
  error_in_step: number,
});

const transactionSpanList = {
  decode: decodedBy(wireTransactionSpan, (wire) => {
    if (wire.from > wire.to) return undefined;
    return {
      state: enumValueOf(monitoredStates, wire.status),
      fromSeconds: wire.from,
      toSeconds: wire.to,
      failedStep: failedStepOf(integer(wire.error_in_step)),
    };
  }),
  requiredFields: { from: 'a date-time', to: 'a date-time not before from' },
  keyOf: spanKey,
};

function failedStepOf(step: number | undefined): number | undefined {
  return step !== undefined && step >= 0 ? step : undefined;
}

const wireReport = z.object({ check_id: identifier, states: z.array(z.unknown()).nullish() });

interface TransactionReport {
  readonly transactionId: number;
  readonly spans: Listing<TransactionStateSpan>;
}

/** All transactions' reports. One without states, as after a pause, has no spans. */
const reportList = {
  field: 'report',
  decode: decodedBy(wireReport, (wire) => {
    const field = `report of ${wire.check_id}: states`;
    const options = { operation: '', field, areParts: true, ...transactionSpanList };
    const spans = decodeList(wire.states ?? [], options);
    return { transactionId: wire.check_id, spans: withoutOverlaps(spans, field) };
  }),
  requiredFields: { check_id: positiveInteger, states: 'an array' },
  keyOf: ({ transactionId }: TransactionReport) => transactionId,
};

function transactionStatesOf(reports: Listing<TransactionReport>): Listing<TransactionStates> {
  return {
    items: reports.items.map(({ transactionId, spans }) => ({
      transactionId,
      states: spans.items,
      ...(spans.rejected.length > 0 && { unreadable: spans.rejected.length }),
    })),
    rejected: [...reports.rejected, ...reports.items.flatMap(({ spans }) => spans.rejected)],
  };
}

const operation = 'list_transaction_states';

/** The default; a maximum is not documented (API 3.1, section 4.6). */
const limit = 100;

/** The complete list of the states of all transactions over a period. */
export async function listTransactionStates(
  reader: Reader,
  period: TimeRange,
  signal: AbortSignal,
): Promise<Listing<TransactionStates>> {
  const path = 'tms/check/report/status';
  const form = reportList;
  const parts = await readInParts(period, async (part) => {
    const query = { ...dateTimeRangeParameters(part), order: 'asc' };
    return transactionStatesOf(
      await readList({ reader, operation, path, query, signal, limit, form }),
    );
  });
  return joinedReports(parts);
}

/** The report of each transaction over all parts of a period. */
function joinedReports(parts: readonly Listing<TransactionStates>[]): Listing<TransactionStates> {
  const reportsOf = new Map<number, TransactionStates[]>();
  for (const report of parts.flatMap(({ items }) => items)) {
    const { transactionId } = report;
    reportsOf.set(transactionId, [...(reportsOf.get(transactionId) ?? []), report]);
  }
  const items = [...reportsOf].map(([transactionId, reports]) => {
    const unreadable = reports.reduce((sum, report) => sum + (report.unreadable ?? 0), 0);
    return {
      transactionId,
      states: joinedSpans(reports.map(({ states }) => states)),
      ...(unreadable > 0 && { unreadable }),
    };
  });
  return { items, rejected: parts.flatMap(({ rejected }) => rejected) };
}
