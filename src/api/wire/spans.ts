import type { StateSpan } from '../../domain/outage.ts';
import type { Listing, RejectedEntry } from '../service.ts';

/** Spans in order of time. One that begins before its predecessor has ended is left out and told of. */
export function withoutOverlaps<S extends StateSpan>(
  { items, rejected }: Listing<S>,
  field: string,
): Listing<S> {
  const sorted = items.toSorted((a, b) => a.fromSeconds - b.fromSeconds);
  const apart: S[] = [];
  const overlapping: RejectedEntry[] = [];
  for (const span of sorted) {
    if (span.fromSeconds < (apart.at(-1)?.toSeconds ?? 0)) {
      const detail = `${field}: two of its states overlap`;
      overlapping.push({ reason: 'overlap', detail });
    } else {
      apart.push(span);
    }
  }
  return { items: apart, rejected: [...rejected, ...overlapping] };
}

export const spanKey = ({ fromSeconds, toSeconds }: StateSpan) => `${fromSeconds}-${toSeconds}`;
