/** One scrape that is being answered. */
export interface ScrapeSlot {
  /** From now on the reply is complete and waits for its reader alone. */
  handedOver(): void;
  /** Gives the place back; a second time it does nothing. */
  release(): void;
}

interface Occupant {
  readonly address: string;
  readonly displace: () => void;
  isHandedOver: boolean;
}

/**
 * How many scrapes run at a time. When all places are taken, readers that do not read hold one for each address at most: a
 * new scrape gets the place of the oldest reply that waits for its reader, of the address that has most of them, unless
 * each has but one.
 */
export class ScrapeSlots {
  readonly limit: number;
  /** In the order in which they came. */
  readonly #occupants = new Set<Occupant>();

  /** A `limit` of 0 is none. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * A place for a scrape from the address, or undefined when there is none.
   *
   * @param displace ends the scrape, whose place another one has got
   */
  take(address: string, displace: () => void): ScrapeSlot | undefined {
    if (this.limit > 0 && this.#occupants.size >= this.limit) {
      const displaced = this.#displaceable();
      if (displaced === undefined) return undefined;
      this.#occupants.delete(displaced);
      displaced.displace();
    }
    const occupant: Occupant = { address, displace, isHandedOver: false };
    this.#occupants.add(occupant);
    return {
      handedOver: () => {
        occupant.isHandedOver = true;
      },
      release: () => void this.#occupants.delete(occupant),
    };
  }

  #displaceable(): Occupant | undefined {
    const byAddress = new Map<string, Occupant[]>();
    for (const occupant of this.#occupants) {
      if (!occupant.isHandedOver) continue;
      const others = byAddress.get(occupant.address);
      if (others === undefined) byAddress.set(occupant.address, [occupant]);
      else others.push(occupant);
    }
    const lists = [...byAddress.values()].filter((list) => list.length > 1);
    return lists.reduce<Occupant[]>(
      (most, list) => (list.length > most.length ? list : most),
      [],
    )[0];
  }
}
