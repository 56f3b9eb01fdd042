import { hashUnit } from '../lib/hash.ts';
import { present } from '../lib/present.ts';
import type { NewTarget, Person, SandboxTeam, SeededPeople, Target } from './people.ts';

const firstPersonId = 11_000_001;
const firstTargetId = 15_000_001;
const firstTeamId = 150_001;
const maxIdGap = 500;
const draw = { person: 81, number: 82, team: 83 } as const;

/** The provider of the seeded telephone numbers. */
const provider = 'sms_provider_a';

interface Role {
  readonly name: string;
  readonly kind: Person['kind'];
  readonly paused?: boolean;
  readonly sms?: { readonly country_code: string; readonly countryIso: string };
  readonly apns?: boolean;
  readonly agcm?: boolean;
}

const roles: readonly Role[] = [
  { name: 'Ada Owner', kind: 'user', sms: { country_code: '46', countryIso: 'SE' }, apns: true },
  { name: 'Björn "on call" Åberg', kind: 'user', sms: { country_code: '49', countryIso: 'DE' } },
  { name: 'Chen Wei', kind: 'contact', agcm: true },
  { name: 'Night shift', kind: 'contact', sms: { country_code: '1', countryIso: 'US' } },
  { name: 'On leave', kind: 'contact', paused: true },
];
const teams: readonly (readonly [string, readonly number[]])[] = [
  ['Platform on call', [0, 1, 3]],
  ['Web', [1, 2]],
  ['Nobody yet', []],
];

/** The people of an account: a function of the seed. */
export function makePeople(seed: number): SeededPeople {
  const people: Person[] = [];
  let targetId = firstTargetId;
  let id = firstPersonId;
  for (const [position, role] of roles.entries()) {
    id += 1 + Math.floor(hashUnit(seed, position, draw.person) * maxIdGap);
    const targets = targetsOf(seed, position, role).map((target): Target => {
      targetId += 1;
      return { ...target, id: targetId };
    });
    people.push(makePerson(role, position, id, targets));
  }
  return { people, teams: makeTeams(seed, people) };
}

function makePerson(
  { name, kind, paused = false, sms }: Role,
  position: number,
  id: number,
  targets: Target[],
): Person {
  return {
    id,
    name,
    kind,
    owner: position === 0,
    paused,
    targets,
    ...present({ countryIso: sms?.countryIso }),
    directSocial: true,
  };
}

function targetsOf(seed: number, position: number, { sms, apns, agcm }: Role): NewTarget[] {
  const severity = 'HIGH';
  const number = String(
    700_000_000 + Math.floor(hashUnit(seed, position, draw.number) * 99_999_999),
  );
  const address = `person-${position + 1}@example.com`;
  const targets: NewTarget[] = [{ channel: 'email', value: { severity, address } }];
  if (sms !== undefined) {
    const { country_code } = sms;
    targets.push({ channel: 'sms', value: { severity, country_code, number, provider } });
  }
  if (apns)
    targets.push({ channel: 'apns', value: { severity, device: `a${number}`, name: 'Phone' } });
  if (agcm) targets.push({ channel: 'agcm', value: { severity, agcm_id: `g${number}` } });
  targets.push({ channel: 'email', value: { severity: 'LOW', address: `low-${address}` } });
  return targets;
}

function makeTeams(seed: number, people: readonly Person[]): SandboxTeam[] {
  let id = firstTeamId;
  return teams.map(([name, members], position) => {
    id += 1 + Math.floor(hashUnit(seed, position, draw.team) * maxIdGap);
    const memberIds = members.flatMap((member) => people[member]?.id ?? []);
    return { id, name, memberIds };
  });
}
