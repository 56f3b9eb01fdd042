import { hashUnit } from '../../src/lib/random.ts';

const teams = ['shop', 'search', 'payments', 'identity', 'platform', 'data'];
const types = ['http', 'ping', 'tcp', 'dns', 'smtp'];
export const listStartSeconds = 1_767_614_400;

/**
 * The body of a check list as the service writes it (API 3.1, section 4.1): checks with names, hosts and
 * five tags each, tested once a minute. `isTested` tells which were tested again in each minute after the
 * first; `isDown` which of them are down now.
 */
export function checkListBody(
  count: number,
  minute: number,
  isTested: (index: number) => boolean,
  isDown: (index: number) => boolean = () => false,
): Buffer {
  const checks = Array.from({ length: count }, (_, index) =>
    entry(index, isTested(index) ? minute : 0, isDown(index)),
  );
  return Buffer.from(JSON.stringify({ checks, counts: { total: count, limited: count } }));
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
