import { talliedStates } from '../../domain/interval.ts';
import type { HourSum, StateHistory } from '../../slo/state-history.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { CorruptRecordError } from './record.ts';

/**
 * Encodes a history: its start, the folded hours, the changes, and the tail if any. Numbers are unsigned LEB128.
 * Each time is the difference from the previous one; a change is that difference × 4, plus the
 * index of its state.
 */
export function encodeHistory({
  knownFromSeconds,
  hours,
  changes,
  tail,
}: StateHistory): Uint8Array<ArrayBuffer> {
  const to = new ByteWriter();
  to.varint(knownFromSeconds);
  to.varint(hours.length);
  let before = 0;
  for (const { fromSeconds, toSeconds, seconds } of hours) {
    to.varint(fromSeconds - before);
    to.varint(toSeconds - fromSeconds);
    for (const state of talliedStates) to.varint(seconds[state]);
    before = toSeconds;
  }
  to.varint(changes.length);
  before = 0;
  for (const { state, fromSeconds } of changes) {
    to.varint((fromSeconds - before) * talliedStates.length + talliedStates.indexOf(state));
    before = fromSeconds;
  }
  if (tail !== undefined) {
    to.varint(tail.fromSeconds);
    to.varint(tail.toSeconds - tail.fromSeconds);
  }
  return to.copy();
}

/** Throws a `CorruptRecordError` when the bytes are not the output of `encodeHistory`. */
export function decodeHistory(bytes: Uint8Array): StateHistory {
  const from = new ByteReader(bytes);
  const take = () => from.varint();
  const knownFromSeconds = take();
  let before = 0;
  const hours = many(from, (): HourSum => {
    const fromSeconds = before + take();
    const toSeconds = fromSeconds + take();
    const [up, down, unknown, unmonitored] = [take(), take(), take(), take()];
    if (up + down + unknown + unmonitored !== toSeconds - fromSeconds) {
      throw new CorruptRecordError('the states of an hour of a history are not the hour');
    }
    before = toSeconds;
    return { fromSeconds, toSeconds, seconds: { up, down, unknown, unmonitored } };
  });
  before = 0;
  const changes = many(from, (number) => {
    const value = take();
    const fromSeconds = before + Math.floor(value / talliedStates.length);
    const state = talliedStates[value % talliedStates.length];
    if (state === undefined || (number > 0 && fromSeconds <= before)) {
      throw new CorruptRecordError('the changes of a history are not in order');
    }
    before = fromSeconds;
    return { state, fromSeconds };
  });
  if (from.left === 0) return { knownFromSeconds, hours, changes };
  const fromSeconds = take();
  const tail = { fromSeconds, toSeconds: fromSeconds + take() };
  from.end();
  return { knownFromSeconds, hours, changes, tail };
}

/** Each element takes at least one byte. */
function many<T>(from: ByteReader, read: (number: number) => T): T[] {
  const count = from.varint();
  if (count > from.left) throw new CorruptRecordError('it ends too early');
  return Array.from({ length: count }, (_, number) => read(number));
}
