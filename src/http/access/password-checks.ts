import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { Client, KnownClients } from './client.ts';
import { GuessQueue } from './guess-queue.ts';

export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** The credentials of an `Authorization` header of the basic scheme (RFC 7617); undefined when it has none. */
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
  /** Too many passwords of the address are not answered yet. */
  | { readonly kind: 'busy' }
  /** The reply is due after this many milliseconds. */
  | { readonly kind: 'refused'; readonly afterMilliseconds: number };

/** Whether a password has the bcrypt hash. */
export type Compare = (password: string, hash: string) => Promise<boolean>;

const maxRemembered = 100;

export interface PasswordChecksOptions {
  readonly compare: Compare;
  /** Comparisons at a time. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Clients whose passwords are checked first; none by default. */
  readonly known?: KnownClients;
}

const nobody: KnownClients = { has: () => false, accepted: () => undefined };

/**
 * Checks passwords in an order that is fair to addresses. A user that does not exist costs as much as the one whose hash
 * costs most: where all hashes cost the same, the time until a rejection does not reveal which users exist. Verdicts are remembered by a
 * digest whose key lives as long as the process, never by the password, and never on a disk: there a digest that is quick
 * to compute would undo what bcrypt is for.
 */
export class PasswordChecks {
  readonly #compare: Compare;
  readonly #queue: GuessQueue;
  readonly #known: KnownClients;
  readonly #key = randomBytes(32);
  readonly #accepted = new RecentMap<string, true>(maxRemembered);
  readonly #refused = new RecentMap<string, true>(maxRemembered);
  readonly #running = new Map<string, Promise<Verdict>>();

  constructor({ compare, known = nobody, ...queue }: PasswordChecksOptions) {
    this.#compare = compare;
    this.#known = known;
    this.#queue = new GuessQueue({ ...queue, known });
  }

  async check(
    users: ReadonlyMap<string, string>,
    credentials: BasicCredentials,
    client: Client,
  ): Promise<Verdict> {
    const verdict = await this.#verdict(users, credentials, client);
    if (verdict.kind === 'accepted') this.#known.accepted(client);
    return verdict;
  }

  async #verdict(
    users: ReadonlyMap<string, string>,
    { user, password }: BasicCredentials,
    client: Client,
  ): Promise<Verdict> {
    const known = users.get(user);
    const hash = known ?? mostExpensiveHash(users);
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([known !== undefined, user, hash, password]))
      .digest('base64');
    if (this.#accepted.get(digest)) return { kind: 'accepted' };
    // It is no new guess, such as that of a scraper whose password was changed.
    if (this.#refused.get(digest)) return { kind: 'refused', afterMilliseconds: 0 };
    // A known client must not wait behind an unknown one with the same password.
    const question = `${digest} ${this.#known.has(client)}`;
    const running = this.#running.get(question);
    if (running !== undefined) return running;
    if (!this.#queue.admits(client)) return { kind: 'busy' };
    const check = async (): Promise<Verdict> => {
      const matches = await this.#queue.run(client, () => this.#compare(password, hash));
      const accepted = matches && known !== undefined;
      (accepted ? this.#accepted : this.#refused).set(digest, true);
      if (accepted) return { kind: 'accepted' };
      return { kind: 'refused', afterMilliseconds: this.#queue.failed(client) };
    };
    return this.#remembering(question, check());
  }

  async #remembering(question: string, checked: Promise<Verdict>): Promise<Verdict> {
    this.#running.set(question, checked);
    try {
      return await checked;
    } finally {
      this.#running.delete(question);
    }
  }
}

/** The one that takes longest to compare with. */
function mostExpensiveHash(users: ReadonlyMap<string, string>): string {
  const cost = (hash: string) => Number(hash.split('$')[2]);
  return [...users.values()].reduce((costliest, hash) =>
    cost(hash) > cost(costliest) ? hash : costliest,
  );
}
