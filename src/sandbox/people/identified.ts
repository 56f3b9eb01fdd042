import type { OperationContext } from '../operation.ts';
import { type Inputs, integerParameter, required } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { Person, Team } from './person.ts';

/** The contact or user a request names in `name`. Throws a 404 for an identifier that none has. */
export function identifiedPerson(
  inputs: Inputs,
  { world }: OperationContext,
  name: 'contactid' | 'userid',
): Person {
  const id = required(name, integerParameter(inputs, name, { min: 0 }));
  const person = world.people.person(id);
  const what = name === 'userid' ? 'user' : 'contact';
  if (person === undefined) throw new Refusal(404, `No ${what} has the identifier ${id}`);
  return person;
}

/** The team a request names. Throws a 404 for an identifier that none has. */
export function identifiedTeam(inputs: Inputs, { world }: OperationContext): Team {
  const id = required('teamid', integerParameter(inputs, 'teamid', { min: 0 }));
  const team = world.people.team(id);
  if (team === undefined) throw new Refusal(404, `No team has the identifier ${id}`);
  return team;
}

/** Throws a 400 unless all are people of the account. */
export function requireMembers(ids: readonly number[], { world }: OperationContext): void {
  const stranger = ids.find((id) => world.people.person(id) === undefined);
  if (stranger !== undefined) throw new Refusal(400, `No contact has the identifier ${stranger}`);
}
