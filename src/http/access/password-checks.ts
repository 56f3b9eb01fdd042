import { createHmac, randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import { RecentMap } from '../../lib/recent-map.ts';

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

export type Verdict = 'accepted' | 'refused' | 'busy';

/** Whether a password has the bcrypt hash. */
type Compare = (password: string, hash: string) => Promise<boolean>;

const maxRemembered = 100;
/** More than these are sent away: each costs a good part of a second of computing. */
const maxWaiting = 16;

/**
 * Checks passwords, one at a time. A user that does not exist costs as much as the one whose hash costs most:
 * where all hashes cost the same, the time of a refusal does not tell who exists. Verdicts are
 * remembered by a digest whose key lives as long as the process, never by the password.
 */
export class PasswordChecks {
  readonly #compare: Compare;
  readonly #key = randomBytes(32);
  readonly #accepted = new RecentMap<string, true>(maxRemembered);
  readonly #refused = new RecentMap<string, true>(maxRemembered);
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  async check(
    users: ReadonlyMap<string, string>,
    { user, password }: BasicCredentials,
  ): Promise<Verdict> {
    const known = users.get(user);
    const hash = known ?? mostExpensiveHash(users);
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([known !== undefined, user, hash, password]))
      .digest('base64');
    if (this.#accepted.get(digest)) return 'accepted';
    if (this.#refused.get(digest)) return 'refused';
    const running = this.#running.get(digest);
    if (running === undefined && this.#queue.size >= maxWaiting) return 'busy';
    const matches = await (running ?? this.#start(digest, password, hash));
    const accepted = matches && known !== undefined;
    (accepted ? this.#accepted : this.#refused).set(digest, true);
    return accepted ? 'accepted' : 'refused';
  }

  async #start(digest: string, password: string, hash: string): Promise<boolean> {
    const checked = this.#queue.add(() => this.#compare(password, hash));
    this.#running.set(digest, checked);
    try {
      return await checked;
    } finally {
      this.#running.delete(digest);
    }
  }
}

/** The one that takes longest to compare with. */
function mostExpensiveHash(users: ReadonlyMap<string, string>): string {
  const cost = (hash: string) => Number(hash.split('$')[2]);
  return [...users.values()].reduce((dearest, hash) =>
    cost(hash) > cost(dearest) ? hash : dearest,
  );
}
