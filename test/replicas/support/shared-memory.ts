import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../src/lib/clock.ts';
import type { OwnershipParts } from '../../../src/ownership.ts';
import { HeldLeases } from '../../../src/replicas/leases/held-leases.ts';
import {
  type Beat,
  type Lease,
  type LeaseReport,
  leaseTimes,
  type SeenReplica,
} from '../../../src/replicas/leases/lease.ts';
import { instantOf } from '../../../src/replicas/leases/trust.ts';
import { SharedAccounts, type SharedLeases } from '../../../src/replicas/shared-accounts.ts';
import { EncodedStore } from '../../../src/store/encoded-store.ts';
import { MemoryBackend, MemoryRows } from '../../../src/store/memory-store.ts';
import type { Commit, Opening, RecordBackend } from '../../../src/store/record-backend.ts';
import type { Store } from '../../../src/store/store.ts';
import { UnreachableError } from '../../../src/store/store-error.ts';
import type { SharedConnection, SharedStore } from '../../support/shared-store.ts';

const ttlSeconds = 30;
const session = { pid: 1, startedAt: '2026-01-05 12:00:00+00' };

/**
 * Records and leases in memory that several exporters of this process share, as they share a
 * database.
 */
export class SharedMemory implements SharedStore {
  readonly #records = new MemoryRows();
  readonly #leases = new Map<string, Lease>();
  readonly #replicas = new Map<string, SeenReplica>();

  connect(name: string, clock: Clock): SharedConnection {
    const id = randomUUID();
    let isCut = false;
    const refuseIfCut = () => {
      if (isCut) throw new UnreachableError('the connection is cut');
    };
    const leases = new HeldLeases({
      replica: { id, name },
      times: leaseTimes(ttlSeconds),
      clock,
    });
    const records = new MemoryBackend(this.#records, id);
    const backend: RecordBackend = {
      id: records.id,
      accounts: async () => {
        refuseIfCut();
        return records.accounts();
      },
      open: async (account): Promise<Opening> => {
        refuseIfCut();
        const lease = this.#leases.get(account);
        if (leases.numberOf(account) === undefined && !this.#take(account, leases, clock)) {
          return { kind: 'taken', owner: lease?.holder.name ?? '' };
        }
        this.#records.owners.set(account, id);
        return records.open(account);
      },
      readMonth: async (batch) => {
        refuseIfCut();
        return records.readMonth(batch);
      },
      commit: async (commit: Commit) => {
        if (!isCut) return records.commit(commit);
        return { kind: 'not stored', error: new UnreachableError('the connection is cut') };
      },
      release: async (account) => {
        leases.drop(account);
        const lease = this.#leases.get(account);
        if (isCut || lease?.holder.id !== id) return;
        await records.release(account);
        this.#leases.set(account, { ...lease, isReleased: true });
      },
      abandon: (account) => leases.drop(account),
      close: async () => {},
    };
    const store = new EncodedStore(backend);
    const sharing: SharedLeases = {
      leases,
      database: {
        beat: async (beat) => {
          refuseIfCut();
          return this.#beat(beat);
        },
        call: async () => {},
        leave: async () => {
          if (!isCut) this.#replicas.delete(id);
        },
        close: async () => {},
      },
      release: (account) => store.release(account),
      abandon: (account) => store.abandon(account),
    };
    const cut = () => {
      isCut = true;
    };
    const mend = () => {
      isCut = false;
    };
    const owner = (parts: OwnershipParts) => new SharedAccounts({ ...parts, sharing });
    return { store, sharing: { owner }, cut, mend };
  }

  /** Reads the records without taking an account. */
  reader(): Store {
    const storeOf = (account: string) => {
      const owner = this.#records.owners.get(account) ?? 'nobody';
      return new EncodedStore(new MemoryBackend(this.#records, owner));
    };
    const accounts = () => new MemoryBackend(this.#records, 'nobody').accounts();
    return {
      id: this.#records.id,
      accounts,
      load: (account) => storeOf(account).load(account),
      readMonth: (batch) => storeOf(batch.account).readMonth(batch),
      commit: async () => {},
      close: async () => {},
    };
  }

  #beat({ replica, renewals, dead }: Beat): LeaseReport {
    const renewed = new Set<string>();
    for (const { account, epoch, known, next } of renewals) {
      const lease = this.#leases.get(account);
      if (lease?.epoch !== epoch || !known.includes(lease.renewal) || lease.isReleased) continue;
      this.#leases.set(account, { ...lease, renewal: next });
      renewed.add(account);
    }
    this.#replicas.set(replica.id, { ...replica, token: randomUUID() });
    for (const one of dead) this.#replicas.delete(one);
    const leases = [...this.#leases.values()];
    return { leases, replicas: [...this.#replicas.values()], renewed };
  }

  #take(account: string, leases: HeldLeases, clock: Clock): boolean {
    const from = instantOf(clock);
    const claim = leases.claimOf(account);
    const lease = this.#leases.get(account);
    const isClaimed = lease?.epoch === claim?.epoch && lease?.renewal === claim?.renewal;
    if (lease !== undefined && !lease.isReleased && !isClaimed) return false;
    const tokens = { epoch: randomUUID(), renewal: randomUUID() };
    const number = (lease?.number ?? 0) + 1;
    this.#leases.set(account, {
      account,
      ...tokens,
      number,
      holder: leases.replica,
      session,
      sinceSeconds: Math.floor(clock.now() / 1000),
      isReleased: false,
      isCurrent: true,
    });
    leases.taken(account, tokens, number, from);
    return true;
  }
}
