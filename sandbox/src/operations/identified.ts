import type { SandboxCheck } from '../account/checks.ts';
import type {
  SandboxMaintenanceWindow,
  SandboxOccurrence,
} from '../account/maintenance-schedule.ts';
import type { Person, SandboxTeam } from '../account/people.ts';
import type { SandboxTransaction } from '../account/transactions.ts';
import { HttpError } from '../server/http-error.ts';
import {
  type Inputs,
  integerListParameter,
  integerParameter,
  requiredParameter,
} from '../server/parameters.ts';
import type { OperationContext } from './operation.ts';

/** Throws a 400 if the parameter names an unknown object; `what` is its kind, such as `team`. */
export function requireKnownIds(
  inputs: Inputs,
  name: string,
  what: string,
  find: (id: number) => unknown,
): void {
  const unknown = integerListParameter(inputs, name).find((id) => find(id) === undefined);
  if (unknown === undefined) return;
  throw new HttpError(400, `Parameter ${name} names ${unknown}, which is no ${what}`);
}

/**
 * The check that a request names. Like the service, throws a 400 without an identifier, and a 403
 * for an unknown one.
 */
export function identifiedCheck(
  inputs: Inputs,
  { world }: OperationContext,
  name = 'checkid',
): SandboxCheck {
  const id = requiredParameter(name, integerParameter(inputs, name, { min: 0 }));
  const check = world.check(id);
  if (check === undefined) throw new HttpError(403, 'Invalid check identifier');
  return check;
}

/** The transaction that a request names. Throws a 404 for an unknown identifier. */
export function identifiedTransaction(
  inputs: Inputs,
  { world }: OperationContext,
  name: 'cid' | 'check_id',
): SandboxTransaction {
  const id = requiredParameter(name, integerParameter(inputs, name, { min: 0 }));
  const transaction = world.transactions.find(id);
  if (transaction === undefined) {
    throw new HttpError(404, `No transaction check has the identifier ${id}`);
  }
  return transaction;
}

/** The window that a request names. Throws a 404 for an unknown identifier. */
export function identifiedWindow(
  inputs: Inputs,
  { world }: OperationContext,
): SandboxMaintenanceWindow {
  const id = requiredParameter('id', integerParameter(inputs, 'id', { min: 0 }));
  const window = world.maintenance.window(id);
  if (window === undefined) throw new HttpError(404, `There is no maintenance window ${id}`);
  return window;
}

/** The occurrence that a request names. Throws a 404 for an unknown identifier. */
export function identifiedOccurrence(
  inputs: Inputs,
  { world }: OperationContext,
): SandboxOccurrence {
  const id = requiredParameter('id', integerParameter(inputs, 'id', { min: 0 }));
  const occurrence = world.maintenance.occurrence(id);
  if (occurrence === undefined)
    throw new HttpError(404, `There is no maintenance occurrence ${id}`);
  return occurrence;
}

/** The contact or user that a request names in `name`. Throws a 404 for an unknown identifier. */
export function identifiedPerson(
  inputs: Inputs,
  { world }: OperationContext,
  name: 'contactid' | 'userid',
): Person {
  const id = requiredParameter(name, integerParameter(inputs, name, { min: 0 }));
  const person = world.people.person(id);
  const what = name === 'userid' ? 'user' : 'contact';
  if (person === undefined) throw new HttpError(404, `No ${what} has the identifier ${id}`);
  return person;
}

/** The team that a request names. Throws a 404 for an unknown identifier. */
export function identifiedTeam(inputs: Inputs, { world }: OperationContext): SandboxTeam {
  const id = requiredParameter('teamid', integerParameter(inputs, 'teamid', { min: 0 }));
  const team = world.people.team(id);
  if (team === undefined) throw new HttpError(404, `No team has the identifier ${id}`);
  return team;
}

/** Throws a 400 unless all are people of the account. */
export function requireMembers(ids: readonly number[], { world }: OperationContext): void {
  const stranger = ids.find((id) => world.people.person(id) === undefined);
  if (stranger !== undefined) throw new HttpError(400, `No contact has the identifier ${stranger}`);
}
