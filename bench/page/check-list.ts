import { hashUnit } from '../../src/lib/random.ts';

const teams = ['shop', 'search', 'payments', 'identity', 'platform', 'data'];
const types = ['http', 'ping', 'tcp', 'dns', 'smtp'];
export const listStartSeconds = 1_767_614_400;

export interface ListKind {
  readonly checks: number;
  /** Minutes since the first list. */
  readonly minute: number;
  /** Those of the others were last tested in the first minute. */
  readonly tested: 'all' | 'none' | 'hundredth';
  /** The ones that are down: one in a hundred, spread evenly, or the first hundredth. */
  readonly down: 'none' | 'spread' | 'neighbours';
}

const pageSize = 25_000;

/**
 * The bodies of the pages of a check list as the service writes them (API 3.1, section 4.1): checks with
 * names, hosts and five tags each, tested once a minute. Pages overlap by one entry.
 */
export function checkListBodies(kind: ListKind): Buffer[] {
  const { checks: total } = kind;
  const bodies: Buffer[] = [];
  for (let from = 0; from < total - 1 || bodies.length === 0; from += pageSize - 1) {
    const length = Math.min(pageSize, total - from);
    const checks = Array.from({ length }, (_, index) => listed(from + index, kind));
    bodies.push(Buffer.from(JSON.stringify({ checks, counts: { total, limited: length } })));
  }
  return bodies;
}

function listed(index: number, { checks, minute, tested, down }: ListKind) {
  const isTested = tested === 'all' || (tested === 'hundredth' && index % 100 === 0);
  const isDown =
    down === 'spread' ? index % 100 === 0 : down === 'neighbours' && index < checks / 100;
  return entry(index, isTested ? minute : 0, isDown);
}

function entry(index: number, minute: number, down: boolean) {
  const id = 5_000_000 + index * 7;
  const team = teams[index % teams.length] ?? 'shop';
  const hostname = `${team}-${index}.example.com`;
  const tested = listStartSeconds + minute * 60 - Math.floor(hashUnit(id, 1) * 50);
  const outage = listStartSeconds - 86_400 - Math.floor(hashUnit(id, 3) * 1e6);
  const tags = [`team-${team}`, `tier-${index % 3}`, 'production', hostname, types[index % 5]];
  return {
    id,
    created: 1_500_000_000 + index * 60,
    name: `${team} front page ${index} (${hostname})`,
    hostname,
    resolution: 1,
    type: types[index % 5],
    ipv6: false,
    verify_certificate: true,
    status: down ? 'down' : 'up',
    lasterrortime: down ? tested : outage + 300,
    lasttesttime: tested,
    lastresponsetime: Math.floor(hashUnit(id, 5, minute) * 2000),
    lastdownstart: down ? tested : outage,
    lastdownend: outage + 300,
    severity_level: 'HIGH',
    tags: tags.map((name, place) => ({
      name,
      type: place === 4 ? 'a' : 'u',
      count: String(count(place)),
    })),
  };
}

function count(place: number): number {
  return 10 ** place;
}
