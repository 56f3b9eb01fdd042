import { present } from '../lib/present.ts';

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
  readonly #people: Map<number, Person>;
  readonly #teams: Map<number, SandboxTeam>;
  #nextPersonId: number;
  #nextTargetId: number;
  #nextTeamId: number;

  constructor({ people, teams }: SeededPeople) {
    this.#people = new Map(people.map((person) => [person.id, person]));
    this.#teams = new Map(teams.map((team) => [team.id, team]));
    this.#nextPersonId = 1 + Math.max(...this.#people.keys());
    this.#nextTeamId = 1 + Math.max(...this.#teams.keys());
    this.#nextTargetId =
      1 + Math.max(...people.flatMap(({ targets }) => targets.map(({ id }) => id)));
  }

  get people(): readonly Person[] {
    return [...this.#people.values()];
  }

  get teams(): readonly SandboxTeam[] {
    return [...this.#teams.values()];
  }

  person(id: number): Person | undefined {
    return this.#people.get(id);
  }

  team(id: number): SandboxTeam | undefined {
    return this.#teams.get(id);
  }

  teamsOf(personId: number): readonly SandboxTeam[] {
    return this.teams.filter(({ memberIds }) => memberIds.includes(personId));
  }

  /** Adds a person, by default one who is not paused and may get direct messages. */
  add(
    name: string,
    kind: Person['kind'],
    targets: readonly NewTarget[],
    rest: Omit<PersonChanges, 'name' | 'kind' | 'targets'> = {},
  ): Person {
    const person: Person = {
      ...{ owner: false, paused: false, directSocial: true },
      ...present(rest),
      ...{ id: this.#nextPersonId, name, kind, targets: this.#identified(targets) },
    };
    this.#nextPersonId += 1;
    this.#people.set(person.id, person);
    return person;
  }

  changePerson(person: Person, { targets, ...changes }: PersonChanges): Person {
    const changed: Person = {
      ...person,
      ...present(changes),
      targets: targets === undefined ? person.targets : this.#identified(targets),
    };
    this.#people.set(changed.id, changed);
    return changed;
  }

  removePerson(id: number): void {
    this.#people.delete(id);
  }

  /** The members of a team that still exist. */
  membersOf({ memberIds }: SandboxTeam): readonly Person[] {
    return memberIds.flatMap((id) => this.#people.get(id) ?? []);
  }

  addTarget(person: Person, target: NewTarget): Target {
    const [added] = this.#identified([target]) as [Target];
    this.#people.set(person.id, { ...person, targets: [...person.targets, added] });
    return added;
  }

  changeTarget(person: Person, changed: Target): void {
    const targets = person.targets.map((target) => (target.id === changed.id ? changed : target));
    this.#people.set(person.id, { ...person, targets });
  }

  removeTarget(person: Person, id: number): void {
    const targets = person.targets.filter((target) => target.id !== id);
    this.#people.set(person.id, { ...person, targets });
  }

  addTeam(team: Omit<SandboxTeam, 'id'>): SandboxTeam {
    const added = { ...team, id: this.#nextTeamId };
    this.#nextTeamId += 1;
    this.#teams.set(added.id, added);
    return added;
  }

  changeTeam(team: SandboxTeam): void {
    this.#teams.set(team.id, team);
  }

  removeTeam(id: number): void {
    this.#teams.delete(id);
  }

  /** Targets with an identifier keep it. */
  #identified(targets: readonly (NewTarget | Target)[]): Target[] {
    return targets.map((target) => {
      if ('id' in target) return target;
      const identified = { ...target, id: this.#nextTargetId } as Target;
      this.#nextTargetId += 1;
      return identified;
    });
  }
}
