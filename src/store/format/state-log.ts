import { type TalliedState, talliedStates } from '../../domain/interval.ts';
import type { SecondsByState } from '../../domain/totals.ts';
import type { HourSum, StateChange, StateLog, Tail } from '../../slo/state-log.ts';
import type { ByteReader } from './bytes.ts';
import { amount, type Codec, optional, struct } from './codec.ts';
import { CorruptRecordError } from './record.ts';

export const secondsByState: Codec<SecondsByState> = struct({
  up: amount,
  down: amount,
  unknown: amount,
  unmonitored: amount,
});

/** Each time is the difference from the previous one. */
const hours: Codec<readonly HourSum[]> = {
  write(to, value) {
    to.varint(value.length);
    let before = 0;
    for (const { fromSeconds, toSeconds, seconds } of value) {
      to.varint(fromSeconds - before);
      to.varint(toSeconds - fromSeconds);
      for (const state of talliedStates) to.varint(seconds[state]);
      before = toSeconds;
    }
  },
  read(from) {
    let before = 0;
    return many(from, () => {
      const fromSeconds = before + from.varint();
      const toSeconds = fromSeconds + from.varint();
      const [up, down, unknown, unmonitored] = [
        from.varint(),
        from.varint(),
        from.varint(),
        from.varint(),
      ];
      if (up + down + unknown + unmonitored !== toSeconds - fromSeconds) {
        throw new CorruptRecordError('the states of an hour are not the hour');
      }
      before = toSeconds;
      return { fromSeconds, toSeconds, seconds: { up, down, unknown, unmonitored } };
    });
  },
};

/** The difference from the previous time × 4, plus the index of the state. */
const changes: Codec<readonly StateChange[]> = {
  write(to, value) {
    to.varint(value.length);
    let before = 0;
    for (const { state, fromSeconds } of value) {
      to.varint((fromSeconds - before) * talliedStates.length + talliedStates.indexOf(state));
      before = fromSeconds;
    }
  },
  read(from) {
    let before = 0;
    return many(from, (place) => {
      const value = from.varint();
      const fromSeconds = before + Math.floor(value / talliedStates.length);
      const state: TalliedState | undefined = talliedStates[value % talliedStates.length];
      if (state === undefined || (place > 0 && fromSeconds <= before)) {
        throw new CorruptRecordError('the changes of a log are not in order');
      }
      before = fromSeconds;
      return { state, fromSeconds };
    });
  },
};

/** Each element takes at least one byte. */
function many<T>(from: ByteReader, read: (place: number) => T): T[] {
  const count = from.varint();
  if (count > from.left) throw new CorruptRecordError('it ends too early');
  return Array.from({ length: count }, (_, place) => read(place));
}

/** What is present and has no other value. */
const yes: Codec<true> = { write: () => {}, read: () => true };

/** Numbers are unsigned LEB128. */
export const stateLog: Codec<StateLog> = struct<StateLog>({
  knownFromSeconds: amount,
  hours,
  changes,
  seconds: secondsByState,
  outages: amount,
  lastOutageSeconds: optional(amount),
  tail: optional(
    struct<Tail>({ fromSeconds: amount, toSeconds: amount, isEndListed: optional(yes) }),
  ),
});
