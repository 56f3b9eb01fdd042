import { z } from 'zod';
import type { Person } from '../../account/people.ts';
import { matchingInputs } from '../../server/parameters.ts';
import { identifiedPerson } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { notificationTargets, targetsFrom, wireTargets } from './notification-targets.ts';

const name = z.string().min(1, 'must not be empty');
const parameters = ['name', 'paused', 'notification_targets'];
const created = z.object({
  name,
  paused: z.boolean().default(false),
  notification_targets: notificationTargets,
});
const updated = z.object({
  name,
  paused: z.boolean(),
  notification_targets: notificationTargets,
});

/** A contact in the form of version 3.1 (API 3.1, section 2.10). */
function wireContact(person: Person, { world }: OperationContext): object {
  return {
    id: person.id,
    name: person.name,
    paused: person.paused,
    type: person.kind,
    ...(person.owner && { owner: true }),
    notification_targets: wireTargets(person),
    teams: world.people
      .teamsOf(person.id)
      .map(({ id, name: teamName }) => ({ id, name: teamName })),
  };
}

/** The contacts of version 3.1 (API 3.1, section 4.5). */
export const alertingContactOperations: readonly Operation[] = [
  {
    name: 'list_contacts',
    summary: 'list the contacts with their notification targets',
    method: 'get',
    path: '/alerting/contacts',
    versions: ['3.1'],
    parameters: [],
    body: 'none',
    run: (_inputs, context) => ({
      contacts: context.world.people.people.map((person) => wireContact(person, context)),
    }),
  },
  {
    name: 'create_contact',
    summary: 'create a contact',
    method: 'post',
    path: '/alerting/contacts',
    versions: ['3.1'],
    parameters,
    body: 'json',
    run(inputs, { world }) {
      const given = matchingInputs(created, inputs);
      const { id } = world.people.addPerson({
        name: given.name,
        paused: given.paused,
        kind: 'contact',
        owner: false,
        directSocial: true,
        targets: targetsFrom(given.notification_targets),
      });
      return { contact: { id } };
    },
  },
  {
    name: 'get_contact',
    summary: 'read one contact',
    method: 'get',
    path: '/alerting/contacts/:contactid',
    versions: ['3.1'],
    parameters: [],
    body: 'none',
    run: (inputs, context) => ({
      contact: wireContact(identifiedPerson(inputs, context, 'contactid'), context),
    }),
  },
  {
    name: 'modify_contact',
    summary: 'overwrite a contact',
    method: 'put',
    path: '/alerting/contacts/:contactid',
    versions: ['3.1'],
    parameters,
    body: 'json',
    run(inputs, context) {
      const person = identifiedPerson(inputs, context, 'contactid');
      const given = matchingInputs(updated, inputs);
      const changed = context.world.people.changePerson(person, {
        name: given.name,
        paused: given.paused,
        targets: targetsFrom(given.notification_targets),
      });
      return { contact: wireContact(changed, context) };
    },
  },
  {
    name: 'delete_contact',
    summary: 'delete a contact',
    method: 'delete',
    path: '/alerting/contacts/:contactid',
    versions: ['3.1'],
    parameters: [],
    body: 'none',
    run(inputs, context) {
      context.world.people.removePerson(identifiedPerson(inputs, context, 'contactid').id);
      return { message: 'Deletion of contact was successful!' };
    },
  },
];
