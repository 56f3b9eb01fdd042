/**
 * A probe server (API 3.1, section 2.6); `region` is one of the values of a check's probe filters
 * (section 2.1).
 */
export interface SandboxProbe {
  readonly id: number;
  readonly city: string;
  readonly country: string;
  readonly countryiso: string;
  readonly region: 'EU' | 'NA' | 'APAC' | 'LATAM';
  readonly name: string;
  readonly hostname: string;
  readonly ip: string;
  readonly ipv6?: string;
  readonly active: boolean;
  /** Listed only on request. */
  readonly deleted: boolean;
  /** Runs transactions too. */
  readonly transactions: boolean;
}

type Place = readonly [
  id: number,
  city: string,
  country: string,
  countryiso: string,
  region: SandboxProbe['region'],
  state?: 'inactive' | 'deleted',
];

/**
 * Probes without an IPv6 address, and probes that run transactions in addition to uptime checks.
 */
const withoutIpv6: ReadonlySet<number> = new Set([34, 38, 60, 67, 101, 105]);
const transactional: ReadonlySet<number> = new Set([42, 46, 70, 83, 96]);

const places: readonly Place[] = [
  [28, 'Amsterdam', 'Netherlands', 'NL', 'EU', 'deleted'],
  [31, 'Reston', 'United States', 'US', 'NA', 'deleted'],
  [34, 'Manchester', 'United Kingdom', 'GB', 'EU'],
  [38, 'Madrid', 'Spain', 'ES', 'EU'],
  [42, 'New York', 'United States', 'US', 'NA'],
  [46, 'Stockholm', 'Sweden', 'SE', 'EU'],
  [53, 'Frankfurt', 'Germany', 'DE', 'EU'],
  [54, 'Tampa', 'United States', 'US', 'NA'],
  [58, 'Prague', 'Czech Republic', 'CZ', 'EU'],
  [60, 'Milan', 'Italy', 'IT', 'EU'],
  [63, 'Atlanta', 'United States', 'US', 'NA'],
  [67, 'Lisbon', 'Portugal', 'PT', 'EU', 'inactive'],
  [70, 'Los Angeles', 'United States', 'US', 'NA'],
  [71, 'Paris', 'France', 'FR', 'EU'],
  [74, 'Toronto', 'Canada', 'CA', 'NA'],
  [78, 'Zurich', 'Switzerland', 'CH', 'EU'],
  [83, 'Tokyo', 'Japan', 'JP', 'APAC'],
  [87, 'Singapore', 'Singapore', 'SG', 'APAC'],
  [90, 'Oslo', 'Norway', 'NO', 'EU', 'inactive'],
  [93, 'Denver', 'United States', 'US', 'NA'],
  [96, 'Sydney', 'Australia', 'AU', 'APAC'],
  [101, 'São Paulo', 'Brazil', 'BR', 'LATAM'],
  [105, 'Querétaro', 'Mexico', 'MX', 'LATAM'],
  [110, 'Hong Kong', 'Hong Kong', 'HK', 'APAC'],
];

/**
 * All current and former probe servers, by identifier. Addresses are from the ranges for
 * documentation.
 */
export const probes: readonly SandboxProbe[] = places.map(
  ([id, city, country, countryiso, region, state]) => ({
    id,
    city,
    country,
    countryiso,
    region,
    name: `${city}, ${country}`,
    hostname: `probe-${id}.example.net`,
    ip: `203.0.113.${id}`,
    ...(!withoutIpv6.has(id) && { ipv6: `2001:db8:50::${id.toString(16)}` }),
    active: state === undefined,
    deleted: state === 'deleted',
    transactions: transactional.has(id),
  }),
);

const byId: ReadonlyMap<number, SandboxProbe> = new Map(probes.map((probe) => [probe.id, probe]));

/** The probes that test uptime checks. */
export const testingProbes: readonly SandboxProbe[] = probes.filter(({ active }) => active);

export function probeOf(id: number): SandboxProbe | undefined {
  return byId.get(id);
}
