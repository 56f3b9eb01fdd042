import type { TalliedState } from '../domain/interval.ts';

/** From this moment on, in UNIX seconds, the item was in this state. */
export interface StateChange {
  readonly state: TalliedState;
  readonly fromSeconds: number;
}

/**
 * Changes of a state, oldest first; immutable. They are kept as two lists, because an account can
 * have a million of them: as objects they would take three times the memory, and every collection of
 * garbage would visit each.
 */
export class StateChanges implements Iterable<StateChange> {
  static readonly none = new StateChanges([], []);
  readonly states: readonly TalliedState[];
  /** UNIX seconds at which each of the states began. */
  readonly times: readonly number[];

  constructor(states: readonly TalliedState[], times: readonly number[]) {
    this.states = states;
    this.times = times;
  }

  static of(changes: readonly StateChange[]): StateChanges {
    return StateChanges.none.with(changes);
  }

  get length(): number {
    return this.times.length;
  }

  /** The change at a place; a negative place counts from the end. */
  at(place: number): StateChange | undefined {
    const state = this.states.at(place);
    const fromSeconds = this.times.at(place);
    return state === undefined || fromSeconds === undefined ? undefined : { state, fromSeconds };
  }

  *[Symbol.iterator](): Iterator<StateChange> {
    for (let place = 0; place < this.length; place++) yield this.at(place) as StateChange;
  }

  /** The changes from a place on. */
  from(place: number): StateChanges {
    return place === 0 ? this : new StateChanges(this.states.slice(place), this.times.slice(place));
  }

  /** These changes, and newer ones. */
  with(newer: readonly StateChange[]): StateChanges {
    if (newer.length === 0) return this;
    return new StateChanges(
      [...this.states, ...newer.map(({ state }) => state)],
      [...this.times, ...newer.map(({ fromSeconds }) => fromSeconds)],
    );
  }
}
