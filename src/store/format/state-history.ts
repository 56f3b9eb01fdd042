import { talliedStates } from '../../domain/interval.ts';
import type { HourSum, StateHistory } from '../../slo/state-history.ts';

/**
 * Encodes a history: its start, the folded hours, then the changes. Numbers are unsigned LEB128.
 * Each time is the difference from the previous one; a change is that difference × 4, plus the
 * index of its state.
 */
export function encodeHistory({ knownFromSeconds, hours, changes }: StateHistory): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value;
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    bytes.push(rest);
  };
  put(knownFromSeconds);
  put(hours.length);
  let before = 0;
  for (const { fromSeconds, toSeconds, seconds } of hours) {
    put(fromSeconds - before);
    put(toSeconds - fromSeconds);
    for (const state of talliedStates) put(seconds[state]);
    before = toSeconds;
  }
  put(changes.length);
  before = 0;
  for (const { state, fromSeconds } of changes) {
    put((fromSeconds - before) * talliedStates.length + talliedStates.indexOf(state));
    before = fromSeconds;
  }
  return Uint8Array.from(bytes);
}

/** Throws when the bytes are not the output of `encodeHistory`. */
export function decodeHistory(bytes: Uint8Array): StateHistory {
  let place = 0;
  const take = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[place++];
      if (byte === undefined || factor > 2 ** 49) throw new RangeError('a history is cut off');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  };
  const knownFromSeconds = take();
  let before = 0;
  const hours = many(take(), bytes.length, (): HourSum => {
    const fromSeconds = before + take();
    const toSeconds = fromSeconds + take();
    const [up, down, unknown, unmonitored] = [take(), take(), take(), take()];
    if (up + down + unknown + unmonitored !== toSeconds - fromSeconds) {
      throw new RangeError('the states of an hour of a history are not the hour');
    }
    before = toSeconds;
    return { fromSeconds, toSeconds, seconds: { up, down, unknown, unmonitored } };
  });
  before = 0;
  const changes = many(take(), bytes.length, (number) => {
    const value = take();
    const fromSeconds = before + Math.floor(value / talliedStates.length);
    const state = talliedStates[value % talliedStates.length];
    if (state === undefined || (number > 0 && fromSeconds <= before)) {
      throw new RangeError('the changes of a history are not in order');
    }
    before = fromSeconds;
    return { state, fromSeconds };
  });
  if (place !== bytes.length) throw new RangeError('a history has more than its changes');
  return { knownFromSeconds, hours, changes };
}

function many<T>(count: number, most: number, read: (number: number) => T): T[] {
  if (count > most) throw new RangeError('a history is cut off');
  return Array.from({ length: count }, (_, number) => read(number));
}
