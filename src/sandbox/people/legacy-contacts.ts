import type { Operation } from '../operation.ts';
import {
  booleanParameter,
  integerListParameter,
  optionalBoolean,
  pageParameters,
  required,
  textParameter,
} from '../query-parameters.ts';
import { identifiedPerson } from './identified.ts';
import { contactChanges, contactParameters, wireLegacyContact } from './legacy-contact.ts';

const defaultLimit = 100;

/** The contacts of version 2.0 (legacy versions, section 4.3). */
export const legacyContactOperations: readonly Operation[] = [
  {
    name: 'contacts',
    summary: 'list the contacts',
    method: 'get',
    path: '/contacts',
    versions: ['2.0'],
    parameters: ['limit', 'offset'],
    body: 'none',
    run(inputs, { world }) {
      const { limit, offset } = pageParameters(inputs, defaultLimit, Number.MAX_SAFE_INTEGER);
      const page = world.people.people.slice(offset, offset + limit);
      return { contacts: page.map(wireLegacyContact) };
    },
  },
  {
    name: 'contact.create',
    summary: 'create a contact',
    method: 'post',
    path: '/contacts',
    versions: ['2.0'],
    parameters: contactParameters,
    body: 'form',
    run(inputs, { world }) {
      const name = required('name', textParameter(inputs, 'name'));
      const {
        directSocial = true,
        countryIso,
        socialUser,
        targets = [],
      } = contactChanges(inputs, {
        targets: [],
      });
      const { id } = world.people.addPerson({
        name,
        kind: 'contact',
        owner: false,
        paused: false,
        directSocial,
        targets,
        ...(countryIso !== undefined && { countryIso }),
        ...(socialUser !== undefined && { socialUser }),
      });
      return { contact: { id, name } };
    },
  },
  {
    name: 'contact.modify',
    summary: 'change a contact',
    method: 'put',
    path: '/contacts/:contactid',
    versions: ['2.0'],
    parameters: [...contactParameters, 'paused'],
    body: 'form',
    run(inputs, context) {
      const person = identifiedPerson(inputs, context, 'contactid');
      const paused = optionalBoolean(inputs, 'paused');
      context.world.people.changePerson(person, { ...contactChanges(inputs, person), paused });
      return { message: 'Modification of contact was successful!' };
    },
  },
  {
    name: 'contacts.modify',
    summary: 'pause or resume several contacts',
    method: 'put',
    path: '/contacts',
    versions: ['2.0'],
    parameters: ['contactids', 'paused'],
    body: 'form',
    run(inputs, { world }) {
      const ids = required('contactids', integerListParameter(inputs, 'contactids'));
      required('paused', textParameter(inputs, 'paused'));
      const paused = booleanParameter(inputs, 'paused');
      const chosen = ids.flatMap((id) => world.people.person(id) ?? []);
      for (const person of chosen) world.people.changePerson(person, { paused });
      return { message: `Modification of ${chosen.length} contacts was successful!` };
    },
  },
  {
    name: 'contact.delete',
    summary: 'delete a contact',
    method: 'delete',
    path: '/contacts/:contactid',
    versions: ['2.0'],
    parameters: [],
    body: 'none',
    run(inputs, context) {
      context.world.people.removePerson(identifiedPerson(inputs, context, 'contactid').id);
      return { message: 'Deletion of contact was successful!' };
    },
  },
  {
    name: 'contacts.delete',
    summary: 'delete several contacts',
    method: 'delete',
    path: '/contacts',
    versions: ['2.0'],
    parameters: ['delcontactids'],
    body: 'form',
    run(inputs, { world }) {
      const ids = required('delcontactids', integerListParameter(inputs, 'delcontactids'));
      const chosen = new Set(ids.filter((id) => world.people.person(id) !== undefined));
      for (const id of chosen) world.people.removePerson(id);
      return { message: `Deletion of ${chosen.size} contacts was successful!` };
    },
  },
];
