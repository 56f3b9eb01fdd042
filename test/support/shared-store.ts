import type { Clock } from '../../src/lib/clock.ts';
import type { Sharing } from '../../src/ownership.ts';
import type { EncodedStore } from '../../src/store/encoded-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A connection of one exporter. */
export interface SharedConnection {
  readonly store: EncodedStore;
  readonly sharing: Sharing;
  /** The database receives nothing of this exporter, until `mend`. */
  cut(): void;
  mend(): void;
}

/** A store that several exporters of this process share. */
export interface SharedStore {
  connect(name: string, clock: Clock): SharedConnection;
  /** Reads the records without taking an account. */
  reader(): Store;
}
