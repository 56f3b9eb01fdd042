import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { GuessQueue, holdMilliseconds } from './guess-queue.ts';

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

export type Verdict =
  | { readonly kind: 'accepted' }
  /** Too many passwords of the address, or of all addresses, wait. */
  | { readonly kind: 'busy' }
  /** The response is due after this many milliseconds. */
  | { readonly kind: 'refused'; readonly afterMilliseconds: number };

/** Resolves with whether the password has the bcrypt hash. */
type Compare = (password: string, hash: string) => Promise<boolean>;

const maxRemembered = 100;

interface PasswordChecksOptions {
  readonly compare: Compare;
  /** Comparisons at a time. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * Checks passwords, new ones in the order of the queue. A user that does not exist costs as much as
 * the user with the most expensive hash: if all hashes cost the same, the response time does not
 * reveal which users exist. Verdicts are kept in memory, by a digest whose key belongs to the
 * process. They are not written to disk, because a fast digest there would undo the protection of
 * bcrypt.
 */
export class PasswordChecks {
  readonly #compare: Compare;
  readonly #queue: GuessQueue;
  readonly #key = randomBytes(32);
  readonly #accepted = new RecentMap<string, true>(maxRemembered);
  readonly #refused = new RecentMap<string, true>(maxRemembered);
  readonly #running = new Map<string, Promise<Verdict>>();

  constructor({ compare, ...queue }: PasswordChecksOptions) {
    this.#compare = compare;
    this.#queue = new GuessQueue(queue);
  }

  async check(
    users: ReadonlyMap<string, string>,
    { user, password }: BasicCredentials,
    address: string,
  ): Promise<Verdict> {
    const known = users.get(user);
    const hash = known ?? mostExpensiveHash(users);
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([known !== undefined, user, hash, password]))
      .digest('base64');
    if (this.#accepted.get(digest)) return { kind: 'accepted' };
    // This is not a new guess, but for example a scraper whose password was changed.
    if (this.#refused.get(digest)) return { kind: 'refused', afterMilliseconds: 0 };
    const running = this.#running.get(digest);
    if (running !== undefined) return running;
    const check = async (): Promise<Verdict> => {
      const accepted = await this.#queue.run(
        { address, digest },
        async () => (await this.#compare(password, hash)) && known !== undefined,
      );
      if (accepted === undefined) return { kind: 'busy' };
      (accepted ? this.#accepted : this.#refused).set(digest, true);
      return accepted
        ? { kind: 'accepted' }
        : { kind: 'refused', afterMilliseconds: holdMilliseconds };
    };
    return this.#remembering(digest, check());
  }

  async #remembering(digest: string, checked: Promise<Verdict>): Promise<Verdict> {
    this.#running.set(digest, checked);
    try {
      return await checked;
    } finally {
      this.#running.delete(digest);
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
