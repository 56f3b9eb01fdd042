import { hashUnit } from '../lib/hash.ts';
import type { TestResult } from '../simulation/history.ts';
import type { Wire } from '../wire.ts';

const [orderSalt, fractionSalt] = [95, 96];

/** A list in the order of the wire. The order is the same for every page. */
export function inListOrder<T extends { readonly id: number }>(
  items: readonly T[],
  { listOrder }: Pick<Wire, 'listOrder'>,
): readonly T[] {
  if (listOrder === 'ascending') return items;
  const place = ({ id }: T) => hashUnit(id, orderSalt);
  return items.toSorted((a, b) => place(a) - place(b) || a.id - b.id);
}

/** The response time of a test. With a fraction, it rounds to the whole milliseconds. */
export function shownMilliseconds(
  { responseTimes }: Pick<Wire, 'responseTimes'>,
  { responseMilliseconds, time, probeId }: TestResult,
): number | undefined {
  if (responseMilliseconds === undefined || responseTimes === 'whole') return responseMilliseconds;
  const fraction = Math.round(800 * hashUnit(time, probeId, fractionSalt)) / 1000 - 0.4;
  return Math.round(1000 * (responseMilliseconds + fraction)) / 1000;
}
