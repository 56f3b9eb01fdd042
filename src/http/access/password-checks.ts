import { createHmac, randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import type { Sleeper } from '../../lib/clock.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { RecentMap } from '../../lib/recent-map.ts';

interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** Reads basic credentials (RFC 7617) from an `Authorization` header; undefined without any. */
export function parseBasicCredentials(header: string | undefined): BasicCredentials | undefined {
  const [, encoded] = /^basic +([a-z\d+/]+=*) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** `busy`: too many passwords of the address, or of all addresses, wait. */
export type PasswordResult = 'accepted' | 'busy' | 'refused';

/** Resolves with whether the password has the bcrypt hash. */
type Compare = (password: string, hash: string) => Promise<boolean>;

/** The delay after a wrong password. It limits an address to eight passwords a second. */
const holdMilliseconds = 2_000;
/** The maximum number of an address's passwords that wait, are compared, or await a response. */
const maxPendingOfAddress = 16;
/** The maximum number of waiting passwords, over all addresses. */
const maxWaiting = 1024;
const maxAccepted = 100;

interface PasswordChecksOptions {
  readonly compare: Compare;
  /** Comparisons at a time. */
  readonly concurrency: number;
  readonly clock: Sleeper;
}

/**
 * Checks passwords. A user that does not exist costs as much as the user with the most expensive
 * hash: if all hashes cost the same, the response time does not reveal which users exist. Accepted
 * passwords are kept in memory, by a digest whose key belongs to the process. They are not written
 * to disk, because a fast digest there would undo the protection of bcrypt.
 */
export class PasswordChecks {
  readonly #compare: Compare;
  readonly #clock: Sleeper;
  readonly #queue: PQueue;
  readonly #key = randomBytes(32);
  readonly #accepted = new RecentMap<string, true>(maxAccepted);
  readonly #running = new Map<string, Promise<PasswordResult>>();
  /** The number of passwords per address that have no response yet. */
  readonly #pending = new Map<string, number>();

  constructor({ compare, concurrency, clock }: PasswordChecksOptions) {
    this.#compare = compare;
    this.#clock = clock;
    this.#queue = new PQueue({ concurrency });
  }

  /** Resolves when the response is due: after a wrong password, with a delay. */
  async check(
    users: ReadonlyMap<string, string>,
    { user, password }: BasicCredentials,
    address: string,
  ): Promise<PasswordResult> {
    const ownHash = users.get(user);
    const hash = ownHash ?? mostExpensiveHash(users);
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([ownHash !== undefined, user, hash, password]))
      .digest('base64');
    if (this.#accepted.get(digest)) return 'accepted';
    const isRight = async () => (await this.#compare(password, hash)) && ownHash !== undefined;
    return getOrMake(this.#running, digest, () =>
      this.#compared({ digest, address }, isRight).finally(() => this.#running.delete(digest)),
    );
  }

  async #compared(
    { digest, address }: { readonly digest: string; readonly address: string },
    isRight: () => Promise<boolean>,
  ): Promise<PasswordResult> {
    const pending = this.#pending.get(address) ?? 0;
    if (pending >= maxPendingOfAddress || this.#queue.size >= maxWaiting) return 'busy';
    this.#pending.set(address, pending + 1);
    try {
      if (await this.#queue.add(isRight)) {
        this.#accepted.set(digest, true);
        return 'accepted';
      }
      // The password counts until its response is due, even after a disconnect.
      await this.#clock.sleep(holdMilliseconds);
      return 'refused';
    } finally {
      const others = (this.#pending.get(address) ?? 1) - 1;
      if (others === 0) this.#pending.delete(address);
      else this.#pending.set(address, others);
    }
  }
}

/** Returns the hash that takes the longest time to compare. */
function mostExpensiveHash(users: ReadonlyMap<string, string>): string {
  const cost = (hash: string) => Number(hash.split('$')[2]);
  return [...users.values()].reduce((costliest, hash) =>
    cost(hash) > cost(costliest) ? hash : costliest,
  );
}
