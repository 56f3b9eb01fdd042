import { hashUnit } from '../../src/lib/random.ts';

const teams = ['shop', 'search', 'payments', 'identity', 'platform', 'data'];
const types = ['http', 'ping', 'tcp', 'dns', 'smtp'];

/** The difference between two consecutive lists. */
export type Difference = 'all' | 'none' | 'hundredth';

/**
 * The check list of an account as the service sends it (API 3.1, section 4.1). Each check has a
 * name, a host and five tags, and is tested once a minute.
 */
export class CheckList {
  readonly #testedAt: number[];
  readonly #isDown: boolean[];
  #entries: readonly string[] = [];

  constructor(checks: number, nowSeconds: number) {
    this.#testedAt = Array.from({ length: checks }, (_, index) => nowSeconds - lagOf(index));
    this.#isDown = Array.from({ length: checks }, () => false);
    this.#write();
  }

  /** Tests all checks again, or none, or one in a hundred, whose state then changes. */
  advance(difference: Difference, nowSeconds: number): void {
    if (difference === 'none') return;
    const step = difference === 'all' ? 1 : 100;
    for (let index = 0; index < this.#testedAt.length; index += step) {
      this.#testedAt[index] = nowSeconds - lagOf(index);
      if (difference === 'hundredth') this.#isDown[index] = !this.#isDown[index];
    }
    this.#write();
  }

  body(offset: number, limit: number): string {
    const page = this.#entries.slice(offset, offset + limit);
    const counts = { total: this.#entries.length, limited: page.length };
    return `{"checks":[${page.join(',')}],"counts":${JSON.stringify(counts)}}`;
  }

  #write(): void {
    this.#entries = this.#testedAt.map((tested, index) =>
      JSON.stringify(entry(index, tested, this.#isDown[index] ?? false)),
    );
  }
}

export function checkId(index: number): number {
  return 5_000_000 + index * 7;
}

function lagOf(index: number): number {
  return Math.floor(hashUnit(checkId(index), 1) * 50);
}

const createdAtSeconds = 1_500_000_000;
const outageAtSeconds = 1_700_000_000;

function entry(index: number, tested: number, down: boolean) {
  const id = checkId(index);
  const team = teams[index % teams.length] ?? 'shop';
  const hostname = `${team}-${index}.example.com`;
  const outage = outageAtSeconds - Math.floor(hashUnit(id, 3) * 1e6);
  const tags = [`team-${team}`, `tier-${index % 3}`, 'production', hostname, types[index % 5]];
  return {
    id,
    created: createdAtSeconds + index * 60,
    name: `${team} front page ${index} (${hostname})`,
    hostname,
    resolution: 1,
    type: types[index % 5],
    ipv6: false,
    verify_certificate: true,
    status: down ? 'down' : 'up',
    lasterrortime: down ? tested : outage + 300,
    lasttesttime: tested,
    lastresponsetime: Math.floor(hashUnit(id, tested) * 2000),
    lastdownstart: down ? tested : outage,
    lastdownend: outage + 300,
    severity_level: 'HIGH',
    tags: tags.map((name, place) => ({
      name,
      type: place === 4 ? 'a' : 'u',
      count: String(10 ** place),
    })),
  };
}
