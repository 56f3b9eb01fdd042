import { present } from '../lib/present.ts';
import { Numbered } from './numbered.ts';

export const severities = ['HIGH', 'LOW'] as const;
type Severity = (typeof severities)[number];

/** With the names of the API (API 3.1, section 2.10). */
interface EmailAddress {
  readonly severity: Severity;
  readonly address: string;
}

interface PhoneNumber {
  readonly severity: Severity;
  readonly country_code: string;
  readonly number: string;
  readonly provider: string;
}

interface ApplePush {
  readonly severity: Severity;
  readonly device: string;
  readonly name: string;
}

interface GooglePush {
  readonly severity: Severity;
  readonly agcm_id: string;
}

interface ChannelTargets {
  readonly email: EmailAddress;
  readonly sms: PhoneNumber;
  readonly apns: ApplePush;
  readonly agcm: GooglePush;
}
export type Channel = keyof ChannelTargets;

/** A way to reach a person, with its identifier in version 2.1. */
export type Target = {
  [C in Channel]: { readonly id: number; readonly channel: C; readonly value: ChannelTargets[C] };
}[Channel];
export type NewTarget = Target extends infer T ? (T extends Target ? Omit<T, 'id'> : never) : never;

/**
 * A recipient of alerts: a contact of version 3.1, a user of version 2.1 and a contact of version
 * 2.0 are the same person.
 */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly kind: 'user' | 'contact';
  readonly owner: boolean;
  readonly paused: boolean;
  readonly targets: readonly Target[];
  /** The country of the telephone number, in version 2.0. */
  readonly countryIso?: string;
  /** The direct messages of version 2.0. */
  readonly directSocial: boolean;
  readonly socialUser?: string;
}

export interface SandboxTeam {
  readonly id: number;
  readonly name: string;
  readonly memberIds: readonly number[];
}

export function valuesOf<C extends Channel>(
  { targets }: Pick<Person, 'targets'>,
  channel: C,
): ChannelTargets[C][] {
  return targets
    .filter((target) => target.channel === channel)
    .map(({ value }) => value as ChannelTargets[C]);
}

type NewPerson = Omit<Person, 'id' | 'targets'> & { readonly targets: readonly NewTarget[] };
/** Given values overwrite; `undefined` changes nothing. */
export type PersonChanges = { readonly [K in keyof NewPerson]?: NewPerson[K] | undefined };

export interface SeededPeople {
  readonly people: readonly Person[];
  readonly teams: readonly SandboxTeam[];
}

/** The people of the account and their teams, the same in all versions. */
export class People {
  readonly people: Numbered<Person>;
  readonly teams: Numbered<SandboxTeam>;
  #lastTargetId: number;

  constructor({ people, teams }: SeededPeople) {
    this.people = new Numbered({ things: people, firstId: 1 });
    this.teams = new Numbered({ things: teams, firstId: 1 });
    this.#lastTargetId = Math.max(...people.flatMap(({ targets }) => targets.map(({ id }) => id)));
  }

  /** Adds a person, by default one who is not paused and may get direct messages. */
  add(
    name: string,
    kind: Person['kind'],
    targets: readonly NewTarget[],
    rest: Omit<PersonChanges, 'name' | 'kind' | 'targets'> = {},
  ): Person {
    return this.people.add((id) => ({
      owner: false,
      paused: false,
      directSocial: true,
      ...present(rest),
      id,
      name,
      kind,
      targets: this.#identified(targets),
    }));
  }

  change(person: Person, { targets, ...changes }: PersonChanges): Person {
    const changed: Person = {
      ...person,
      ...present(changes),
      targets: targets === undefined ? person.targets : this.#identified(targets),
    };
    this.people.put(changed);
    return changed;
  }

  teamsOf(personId: number): readonly SandboxTeam[] {
    return this.teams.all.filter(({ memberIds }) => memberIds.includes(personId));
  }

  /** The members of a team that still exist. */
  membersOf({ memberIds }: SandboxTeam): readonly Person[] {
    return this.people.known(memberIds);
  }

  /** Targets with an identifier keep it. */
  #identified(targets: readonly (NewTarget | Target)[]): Target[] {
    return targets.map((target) => {
      if ('id' in target) return target;
      this.#lastTargetId += 1;
      return { ...target, id: this.#lastTargetId } as Target;
    });
  }
}
