import {
  type Channel,
  type NewTarget,
  type Person,
  type PersonChanges,
  valuesOf,
} from '../../account/people.ts';
import { HttpError } from '../../server/http-error.ts';
import { optionalBoolean, textParameter } from '../../server/parameters.ts';
import type { Operation } from '../operation.ts';
import { contactById, known, oneOf, pageOf, strictPage } from '../readers.ts';
import { operation, required } from '../table.ts';
import {
  countryiso,
  digitsOf,
  done,
  email,
  name,
  removal,
  telephone,
} from './people-parameters.ts';

function wireLegacyContact(one: Person): object {
  const [sms] = valuesOf(one, 'sms');
  return {
    id: one.id,
    name: one.name,
    email: valuesOf(one, 'email')[0]?.address,
    cellphone: sms && `${sms.country_code}-${sms.number}`,
    countryiso: sms && one.countryIso,
    defaultsmsprovider: sms?.provider,
    directsocial: one.directSocial,
    socialuser: one.socialUser,
    paused: one.paused,
    pushatokens: valuesOf(one, 'apns').map(({ device }) => device),
    pushbtokens: valuesOf(one, 'agcm').map(({ agcm_id }) => agcm_id),
  };
}

const providers = ['sms_provider_a', 'sms_provider_b', 'sms_provider_c', 'sms_provider_d'] as const;
const contactFields = {
  name: textParameter,
  email,
  cellphone: digitsOf,
  countrycode: digitsOf,
  countryiso,
  defaultsmsprovider: oneOf(...providers),
  directsocial: optionalBoolean,
  socialuser: textParameter,
};
type ContactForm = {
  readonly [K in keyof typeof contactFields]: ReturnType<(typeof contactFields)[K]>;
};

function contactChanges(given: ContactForm, before: readonly NewTarget[]): PersonChanges {
  if (given.name === '') throw new HttpError(400, 'Parameter name is required');
  return {
    name: given.name,
    countryIso: given.countryiso,
    directSocial: given.directsocial,
    socialUser: given.socialuser,
    targets: withTelephone(given, withEmail(given, before)),
  };
}

function withEmail({ email: address }: ContactForm, all: readonly NewTarget[]) {
  if (address === undefined) return all;
  const value = { severity: 'HIGH' as const, address };
  return withFirst(all, 'email', address === '' ? undefined : { channel: 'email', value });
}

function withTelephone(given: ContactForm, all: readonly NewTarget[]) {
  const before = all.find((one) => one.channel === 'sms')?.value;
  const provider = given.defaultsmsprovider ?? before?.provider ?? providers[0];
  const found = telephone('cellphone', given.cellphone, given.countrycode);
  if (found === undefined) {
    if (given.defaultsmsprovider === undefined || before === undefined) return all;
    return withFirst(all, 'sms', { channel: 'sms', value: { ...before, provider } });
  }
  if (found.number === '') return withFirst(all, 'sms', undefined);
  if (given.countryiso === undefined) {
    throw new HttpError(400, 'Parameter cellphone requires parameter countryiso');
  }
  const value = { severity: 'HIGH' as const, ...found, provider };
  return withFirst(all, 'sms', { channel: 'sms', value });
}

/** Replaces, adds or removes the first target of the channel; the others stay. */
function withFirst(all: readonly NewTarget[], channel: Channel, one: NewTarget | undefined) {
  const position = all.findIndex((each) => each.channel === channel);
  const added = one === undefined ? [] : [one];
  return position < 0 ? [...all, ...added] : all.toSpliced(position, 1, ...added);
}

const knownPeople = known((world) => world.people.people);

/** Contacts of version 2.0 (legacy versions, section 4.3). */
export const legacyContacts: readonly Operation[] = [
  operation(
    'list_contacts',
    '2.0 GET /contacts',
    'list the contacts',
    { page: strictPage(100) },
    ({ page }, { world }) => ({
      contacts: pageOf(world.people.people.all, page).map(wireLegacyContact),
    }),
  ),
  operation(
    'create_contact',
    '2.0 POST /contacts',
    'create a contact',
    { ...contactFields, name },
    (given, { world }) => {
      const { targets: all = [], name: _, ...changes } = contactChanges(given, []);
      const { id } = world.people.add(given.name, 'contact', all, changes);
      return { contact: { id, name: given.name } };
    },
  ),
  operation(
    'modify_contact',
    '2.0 PUT /contacts/:contactid',
    'change a contact',
    { contactid: contactById, ...contactFields, paused: optionalBoolean },
    ({ contactid: contact, paused, ...given }, { world }) => {
      world.people.change(contact, { ...contactChanges(given, contact.targets), paused });
      return done('Modification', 'contact');
    },
  ),
  operation(
    'modify_contacts',
    '2.0 PUT /contacts',
    'pause or resume several contacts',
    { contactids: knownPeople, paused: required(optionalBoolean) },
    ({ contactids: chosen, paused }, { world }) => {
      for (const one of chosen) world.people.change(one, { paused });
      return done('Modification', `${chosen.length} contacts`);
    },
  ),
  removal('2.0', '/contacts/:contactid'),
  operation(
    'delete_contacts',
    '2.0 DELETE /contacts',
    'delete several contacts',
    { delcontactids: knownPeople },
    ({ delcontactids }, { world }) => {
      const chosen = new Set(delcontactids);
      for (const { id } of chosen) world.people.people.remove(id);
      return done('Deletion', `${chosen.size} contacts`);
    },
  ),
];
