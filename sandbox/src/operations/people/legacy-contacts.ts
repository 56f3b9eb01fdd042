import {
  type Channel,
  type NewTarget,
  type Person,
  type PersonChanges,
  valuesOf,
} from '../../account/people.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumParameter,
  type Inputs,
  integerListParameter,
  optionalBoolean,
  pageParameters,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import { identifiedPerson } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { emailParameter, telephoneParameters } from './notification-targets.ts';

/** Neutral words for the four providers (legacy versions, section 1). */
const providers = ['sms_provider_a', 'sms_provider_b', 'sms_provider_c', 'sms_provider_d'] as const;

const contactParameters = [
  'name',
  'email',
  'cellphone',
  'countrycode',
  'countryiso',
  'defaultsmsprovider',
  'directsocial',
  'socialuser',
];

/**
 * A contact in the form of version 2.0: one address and one number of each person (legacy versions,
 * section 2.3).
 */
function wireLegacyContact(person: Person): object {
  const [email] = valuesOf(person, 'email');
  const [sms] = valuesOf(person, 'sms');
  return {
    id: person.id,
    name: person.name,
    email: email?.address,
    ...(sms !== undefined && {
      cellphone: `${sms.country_code}-${sms.number}`,
      countryiso: person.countryIso,
      defaultsmsprovider: sms.provider,
    }),
    directsocial: person.directSocial,
    socialuser: person.socialUser,
    pushatokens: valuesOf(person, 'apns').map(({ device }) => device),
    pushbtokens: valuesOf(person, 'agcm').map(({ agcm_id }) => agcm_id),
    paused: person.paused,
  };
}

/** A person with the changes of the parameters, or a new person. Throws a 400 for invalid ones. */
function contactChanges(inputs: Inputs, person: Pick<Person, 'targets'>): PersonChanges {
  const name = textParameter(inputs, 'name');
  if (name !== undefined) requiredParameter('name', name);
  const countryIso = textParameter(inputs, 'countryiso');
  if (countryIso !== undefined && !/^[A-Z]{2}$/.test(countryIso)) {
    throw new HttpError(400, `Parameter countryiso must be two letters, not "${countryIso}"`);
  }
  return {
    name,
    countryIso,
    directSocial: optionalBoolean(inputs, 'directsocial'),
    socialUser: textParameter(inputs, 'socialuser'),
    targets: withTelephone(inputs, withEmail(inputs, person.targets)),
  };
}

function withEmail(inputs: Inputs, targets: readonly NewTarget[]): readonly NewTarget[] {
  const address = emailParameter(inputs);
  if (address === undefined) return targets;
  const value = { severity: 'HIGH' as const, address };
  return withFirst(targets, 'email', address === '' ? undefined : { channel: 'email', value });
}

function withTelephone(inputs: Inputs, targets: readonly NewTarget[]): readonly NewTarget[] {
  const provider = enumParameter(inputs, 'defaultsmsprovider', providers);
  const telephone = telephoneParameters(inputs, 'cellphone');
  const current = targets.find((target) => target.channel === 'sms')?.value;
  if (telephone === undefined) {
    if (provider === undefined || current === undefined) return targets;
    return withFirst(targets, 'sms', { channel: 'sms', value: { ...current, provider } });
  }
  if (telephone.number === '') return withFirst(targets, 'sms', undefined);
  if (textParameter(inputs, 'countryiso') === undefined) {
    throw new HttpError(400, 'Parameter cellphone requires parameter countryiso');
  }
  const kept = current?.provider ?? providers[0];
  const value = { severity: 'HIGH' as const, ...telephone, provider: provider ?? kept };
  return withFirst(targets, 'sms', { channel: 'sms', value });
}

/** Replaces, adds or removes the first target of the channel; the others stay. */
function withFirst(
  targets: readonly NewTarget[],
  channel: Channel,
  target: NewTarget | undefined,
): readonly NewTarget[] {
  const position = targets.findIndex((each) => each.channel === channel);
  if (position < 0) return target === undefined ? targets : [...targets, target];
  return targets.toSpliced(position, 1, ...(target === undefined ? [] : [target]));
}

const defaultLimit = 100;

/** The contacts of version 2.0 (legacy versions, section 4.3). */
export const legacyContactOperations: readonly Operation[] = [
  {
    name: 'list_contacts',
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
    name: 'create_contact',
    summary: 'create a contact',
    method: 'post',
    path: '/contacts',
    versions: ['2.0'],
    parameters: contactParameters,
    body: 'form',
    run(inputs, { world }) {
      const name = requiredParameter('name', textParameter(inputs, 'name'));
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
    name: 'modify_contact',
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
    name: 'modify_contacts',
    summary: 'pause or resume several contacts',
    method: 'put',
    path: '/contacts',
    versions: ['2.0'],
    parameters: ['contactids', 'paused'],
    body: 'form',
    run(inputs, { world }) {
      const ids = requiredParameter('contactids', integerListParameter(inputs, 'contactids'));
      requiredParameter('paused', textParameter(inputs, 'paused'));
      const paused = booleanParameter(inputs, 'paused');
      const chosen = ids.flatMap((id) => world.people.person(id) ?? []);
      for (const person of chosen) world.people.changePerson(person, { paused });
      return { message: `Modification of ${chosen.length} contacts was successful!` };
    },
  },
  {
    name: 'delete_contact',
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
    name: 'delete_contacts',
    summary: 'delete several contacts',
    method: 'delete',
    path: '/contacts',
    versions: ['2.0'],
    parameters: ['delcontactids'],
    body: 'form',
    run(inputs, { world }) {
      const ids = requiredParameter('delcontactids', integerListParameter(inputs, 'delcontactids'));
      const chosen = new Set(ids.filter((id) => world.people.person(id) !== undefined));
      for (const id of chosen) world.people.removePerson(id);
      return { message: `Deletion of ${chosen.size} contacts was successful!` };
    },
  },
];
