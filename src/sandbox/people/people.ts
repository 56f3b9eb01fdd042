import { present } from '../../lib/present.ts';
import type { NewTarget, Person, Target, Team } from './person.ts';

export type NewPerson = Omit<Person, 'id' | 'targets'> & { readonly targets: readonly NewTarget[] };
/** What is given overwrites; `undefined` leaves as it is. */
export type PersonChanges = { readonly [K in keyof NewPerson]?: NewPerson[K] | undefined };

export interface SeededPeople {
  readonly people: readonly Person[];
  readonly teams: readonly Team[];
}

/** The people of the account and their teams, the same for all versions. */
export class People {
  readonly #people: Map<number, Person>;
  readonly #teams: Map<number, Team>;
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

  get teams(): readonly Team[] {
    return [...this.#teams.values()];
  }

  person(id: number): Person | undefined {
    return this.#people.get(id);
  }

  team(id: number): Team | undefined {
    return this.#teams.get(id);
  }

  teamsOf(personId: number): readonly Team[] {
    return this.teams.filter(({ memberIds }) => memberIds.includes(personId));
  }

  addPerson({ targets, ...rest }: NewPerson): Person {
    const person = { ...rest, id: this.#nextPersonId, targets: this.#identified(targets) };
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

  /** The members of a team that are still there. */
  membersOf({ memberIds }: Team): readonly Person[] {
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

  addTeam(team: Omit<Team, 'id'>): Team {
    const added = { ...team, id: this.#nextTeamId };
    this.#nextTeamId += 1;
    this.#teams.set(added.id, added);
    return added;
  }

  changeTeam(team: Team): void {
    this.#teams.set(team.id, team);
  }

  removeTeam(id: number): void {
    this.#teams.delete(id);
  }

  /** Targets that had an identifier keep it. */
  #identified(targets: readonly (NewTarget | Target)[]): Target[] {
    return targets.map((target) => {
      if ('id' in target) return target;
      const identified = { ...target, id: this.#nextTargetId } as Target;
      this.#nextTargetId += 1;
      return identified;
    });
  }
}
