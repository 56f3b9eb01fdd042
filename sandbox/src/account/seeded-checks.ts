import { hashUnit } from '../lib/hash.ts';
import { day } from '../lib/instant.ts';
import type { StabilityName, Testing } from '../simulation/monitored-check.ts';
import { checkTypes } from '../vocabulary.ts';
import { generalSettings, targetSettings } from './check-settings.ts';
import type { SandboxCheck, SandboxCheckType, SandboxTag } from './checks.ts';
import { scenarioResolution, scenarioRuns, seedScenarioAt } from './seed-scenario.ts';
import { defaultSettings, type SettingValues } from './setting-field.ts';

/** Names that break careless parsers, encoders and views; two checks share one of them. */
const awkwardNames: readonly string[] = [
  'Say "hi" \\ back\nsecond line',
  'comma, pipe | colon: semicolon; and = sign',
  'tab\there',
  '🚀 launch page ✨ 👩‍👩‍👧',
  'بوابة الدفع',
  '<script>alert(1)</script>',
  `A very long name ${'that goes on and '.repeat(20)}ends`,
  'C:\\new\\path {job="x"} # not a comment',
  'Homepage',
  'Homepage',
];

const services = [
  'Checkout',
  'Payments',
  'Search',
  'Login',
  'Catalogue',
  'Invoices',
  'Status page',
  'Blog',
];
const parts = ['frontend', 'API', 'gateway', 'worker', 'admin', 'webhooks'];
const nameSalt = 21;

/**
 * The plain name of the check at `position`: a service, a part of it and, after the first of a
 * kind, a number.
 */
function plainName(seed: number, position: number): string {
  const shift = Math.floor(hashUnit(seed, nameSalt) * services.length);
  const service = services[(position + shift) % services.length];
  const part = parts[Math.floor(position / services.length) % parts.length];
  const round = Math.floor(position / (services.length * parts.length));
  return round === 0 ? `${service} ${part}` : `${service} ${part} ${round + 1}`;
}

const firstId = 10_214_117;
const maxIdGap = 700;
const resolutions = [1, 5, 1, 15, 5, 30, 1, 60];
const teams = ['payments', 'web', 'platform', 'search', 'mobile'];
const firstAwkward = 12;

/** The random properties of a check; each has its own hash, so that they are independent. */
const draw = {
  id: 31,
  type: 32,
  phase: 33,
  age: 34,
  stability: 35,
  response: 36,
  team: 37,
  tier: 38,
  stage: 39,
  server: 40,
  encryption: 41,
} as const;

interface SeededChecksOptions {
  readonly seed: number;
  readonly count: number;
  /** UNIX seconds. */
  readonly startedAt: number;
  readonly recipients: AlertedIds;
  readonly testing: Testing;
  /** Ordinary names, without those that break parsers. */
  readonly plainNames?: boolean;
}

/** The checks of an account: a function of its arguments. */
export function makeChecks(options: SeededChecksOptions): SandboxCheck[] {
  const { seed, count, startedAt, recipients, testing, plainNames = false } = options;
  const checks: SandboxCheck[] = [];
  const settingsOf = seededCheckSettings(recipients);
  let id = firstId;
  for (let position = 0; position < count; position++) {
    id += 1 + Math.floor(hashUnit(seed, position, draw.id) * maxIdGap);
    checks.push(makeCheck(seed, position, id, { startedAt, settingsOf, testing, plainNames }));
  }
  return checks;
}

function makeCheck(
  seed: number,
  position: number,
  id: number,
  {
    startedAt,
    settingsOf,
    testing,
    plainNames,
  }: {
    readonly startedAt: number;
    readonly settingsOf: ReturnType<typeof seededCheckSettings>;
    readonly testing: Testing;
    readonly plainNames: boolean;
  },
): SandboxCheck {
  const awkward = plainNames ? undefined : awkwardNames[position - firstAwkward];
  const chance = (what: number) => hashUnit(seed, id, what);
  const role = seedScenarioAt(position);
  const type = typeAt(position, chance(draw.type));
  const created = startedAt - Math.floor((60 + 420 * chance(draw.age)) * day);
  const minutes = scenarioResolution(role, pick(resolutions, position));
  const grid = gridFrom(created, minutes, chance(draw.phase));
  const runs = scenarioRuns(role, { ...grid, ...testing }, startedAt);
  const ipv6 = position % 7 === 5;
  return {
    ...seededAttributes(seed, id),
    id,
    name: awkward ?? plainName(seed, position),
    type,
    hostname: ipv6 ? `2001:db8::${(position + 1).toString(16)}` : hostAt(position, type),
    resolutionMinutes: (runs[0]?.resolutionSeconds ?? 60 * pick(resolutions, position)) / 60,
    created,
    ipv6,
    tags: tagsOf(type, chance),
    settings: settingsOf(type, position, chance(draw.encryption)),
    runs,
  };
}

/** Behaviour rather than settings: how a check behaves, and what its failure means. */
export function seededAttributes(seed: number, id: number) {
  const chance = (what: number) => hashUnit(seed, id, what);
  return {
    severity: chance(draw.tier) < 0.6 ? 'high' : 'low',
    stability: stabilityFor(chance(draw.stability)),
    typicalResponseMilliseconds: Math.round(40 + 900 * chance(draw.response) ** 2),
  } as const;
}

function gridFrom(created: number, minutes: number, chance: number) {
  const resolutionSeconds = 60 * minutes;
  return {
    from: created,
    resolutionSeconds,
    phaseSeconds: Math.floor(chance * resolutionSeconds),
  };
}

/** The first checks have all nine types in turn; a large account has mostly web sites. */
function typeAt(position: number, chance: number): SandboxCheck['type'] {
  if (position < 2 * checkTypes.length) return pick(checkTypes, position);
  return chance < 0.7 ? 'http' : pick(checkTypes, Math.floor(chance * 1000));
}

function hostAt(position: number, type: SandboxCheck['type']): string {
  return `${type === 'http' ? 'www' : type}-${position + 1}.example.com`;
}

function tagsOf(type: SandboxCheck['type'], chance: (what: number) => number): SandboxTag[] {
  const tags: SandboxTag[] = [
    { name: `team:${pick(teams, Math.floor(chance(draw.team) * teams.length))}`, type: 'u' },
    { name: `tier:${1 + Math.floor(chance(draw.tier) * 3)}`, type: 'u' },
    { name: chance(draw.stage) < 0.8 ? 'prod' : 'staging', type: 'u' },
    { name: type, type: 'a' },
  ];
  if (type === 'http')
    tags.push({ name: chance(draw.server) < 0.5 ? 'apache' : 'nginx', type: 'a' });
  return tags;
}

function stabilityFor(chance: number): StabilityName {
  if (chance < 0.55) return 'steady';
  return chance < 0.92 ? 'ordinary' : 'flaky';
}

function pick<T>(from: readonly T[], position: number): T {
  return from[position % from.length] as T;
}

/** Identifiers of the recipients of a check's alerts. */
interface AlertedIds {
  readonly contactIds: readonly number[];
  readonly teamIds: readonly number[];
}

const encryptedPorts: Readonly<Partial<Record<SandboxCheckType, number>>> = {
  http: 443,
  httpcustom: 443,
  smtp: 465,
  pop3: 995,
  imap: 993,
};
const encryptedShare = 0.8;
const standard = defaultSettings(generalSettings);

/**
 * The settings of the initial checks. Checks with equal settings share one object, because an
 * account may have tens of thousands. Each check alerts one team or one person.
 */
function seededCheckSettings({ contactIds, teamIds }: AlertedIds) {
  const known = new Map<string, SettingValues>();
  return (type: SandboxCheckType, position: number, chance: number): SettingValues => {
    const encrypted = type in encryptedPorts && chance < encryptedShare;
    const team = teamIds[position % (teamIds.length + 1)];
    const key = `${type} ${encrypted} ${team}`;
    const shared = known.get(key);
    if (shared !== undefined) return shared;
    const people = team === undefined ? contactIds.slice(0, 1) : [];
    const settings: SettingValues = {
      ...standard,
      ...defaultSettings(targetSettings[type]),
      ...typeSettings[type],
      teamids: team === undefined ? [] : [team],
      userids: people,
      contactids: people,
      ...(encrypted && { encryption: true, port: encryptedPorts[type] }),
    };
    known.set(key, settings);
    return settings;
  };
}

const typeSettings: Readonly<Record<SandboxCheckType, SettingValues>> = {
  http: { url: '/health', shouldcontain: 'ok', requestheaders: ['User-Agent:monitor'] },
  httpcustom: { url: '/status.xml' },
  tcp: { port: 5432 },
  ping: {},
  dns: { nameserver: 'ns1.example.com', expectedip: '192.0.2.10' },
  udp: { port: 514, stringtosend: 'ping', stringtoexpect: 'pong' },
  smtp: { stringtoexpect: '220' },
  pop3: { stringtoexpect: '+OK' },
  imap: { stringtoexpect: '* OK' },
};
