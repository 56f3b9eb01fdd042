import {
  type Inputs,
  optionalBoolean,
  required,
  textParameter,
  wordParameter,
} from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import { emailParameter, telephoneParameters } from './legacy-address.ts';
import type { PersonChanges } from './people.ts';
import { type Channel, type NewTarget, type Person, valuesOf } from './person.ts';

/** Neutral words for the four providers there are (legacy versions, section 1). */
const providers = ['sms_provider_a', 'sms_provider_b', 'sms_provider_c', 'sms_provider_d'] as const;

export const contactParameters = [
  'name',
  'email',
  'cellphone',
  'countrycode',
  'countryiso',
  'defaultsmsprovider',
  'directsocial',
  'socialuser',
];

/** A contact as version 2.0 shows it: one address and one number of each person (legacy versions, section 2.3). */
export function wireLegacyContact(person: Person): object {
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

/** What the parameters change of a person, or of nobody yet. Throws a 400 for what cannot be. */
export function contactChanges(inputs: Inputs, person: Pick<Person, 'targets'>): PersonChanges {
  const name = textParameter(inputs, 'name');
  if (name !== undefined) required('name', name);
  const countryIso = textParameter(inputs, 'countryiso');
  if (countryIso !== undefined && !/^[A-Z]{2}$/.test(countryIso)) {
    throw new Refusal(400, `Parameter countryiso must be two letters, not "${countryIso}"`);
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
  const provider = wordParameter(inputs, 'defaultsmsprovider', providers);
  const telephone = telephoneParameters(inputs, 'cellphone');
  const current = targets.find((target) => target.channel === 'sms')?.value;
  if (telephone === undefined) {
    if (provider === undefined || current === undefined) return targets;
    return withFirst(targets, 'sms', { channel: 'sms', value: { ...current, provider } });
  }
  if (telephone.number === '') return withFirst(targets, 'sms', undefined);
  if (textParameter(inputs, 'countryiso') === undefined) {
    throw new Refusal(400, 'Parameter cellphone requires parameter countryiso');
  }
  const kept = current?.provider ?? providers[0];
  const value = { severity: 'HIGH' as const, ...telephone, provider: provider ?? kept };
  return withFirst(targets, 'sms', { channel: 'sms', value });
}

/** The first target of the channel replaced, added or taken away; the others stay as they are. */
function withFirst(
  targets: readonly NewTarget[],
  channel: Channel,
  target: NewTarget | undefined,
): readonly NewTarget[] {
  const position = targets.findIndex((each) => each.channel === channel);
  if (position < 0) return target === undefined ? targets : [...targets, target];
  return targets.toSpliced(position, 1, ...(target === undefined ? [] : [target]));
}
