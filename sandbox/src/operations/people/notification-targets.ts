import { z } from 'zod';
import { type NewTarget, type Person, severities, valuesOf } from '../../account/people.ts';
import { HttpError } from '../../server/http-error.ts';
import { type Inputs, textParameter } from '../../server/parameters.ts';

const severity = z.enum(severities);
const digits = z.string().regex(/^\d+$/, 'must be digits');
const word = z.string().min(1, 'must not be empty');

export const emailAddress = z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');

/** API 3.1, section 4.5: at least one method. */
export const notificationTargets = z
  .strictObject({
    email: z.array(z.strictObject({ severity, address: emailAddress })).default([]),
    sms: z
      .array(z.strictObject({ severity, country_code: digits, number: digits, provider: word }))
      .default([]),
    apns: z.array(z.strictObject({ severity, device: word, name: word })).default([]),
    agcm: z.array(z.strictObject({ severity, agcm_id: word })).default([]),
  })
  .refine(
    (targets) => Object.values(targets).some((ofChannel) => ofChannel.length > 0),
    'there must be at least one notification method',
  );

export function targetsFrom(given: z.output<typeof notificationTargets>): NewTarget[] {
  return [
    ...given.email.map((value) => ({ channel: 'email' as const, value })),
    ...given.sms.map((value) => ({ channel: 'sms' as const, value })),
    ...given.apns.map((value) => ({ channel: 'apns' as const, value })),
    ...given.agcm.map((value) => ({ channel: 'agcm' as const, value })),
  ];
}

/** The targets in the form of contacts (API 3.1, section 2.10); empty push channels are absent. */
export function wireTargets(person: Person): object {
  const apns = valuesOf(person, 'apns');
  const agcm = valuesOf(person, 'agcm');
  return {
    email: valuesOf(person, 'email'),
    sms: valuesOf(person, 'sms'),
    ...(apns.length > 0 && { apns }),
    ...(agcm.length > 0 && { agcm }),
  };
}

/** The parameter `email`; empty text clears the address. */
export function emailParameter(inputs: Inputs): string | undefined {
  const text = textParameter(inputs, 'email');
  if (text === undefined || text === '' || emailAddress.safeParse(text).success) return text;
  throw new HttpError(400, `Parameter email must be an e-mail address, not "${text}"`);
}

/**
 * A telephone number and its country code, which require each other; `name` is the parameter of the
 * number. An empty number clears it and needs no country.
 */
export function telephoneParameters(
  inputs: Inputs,
  name: 'number' | 'cellphone',
): { readonly country_code: string; readonly number: string } | undefined {
  const number = digitsParameter(inputs, name);
  const country_code = digitsParameter(inputs, 'countrycode');
  if (number === undefined && country_code === undefined) return undefined;
  if (number === '') return { country_code: '', number };
  if (!country_code) throw new HttpError(400, `Parameter ${name} requires parameter countrycode`);
  if (!number) throw new HttpError(400, `Parameter countrycode requires parameter ${name}`);
  return { country_code, number };
}

function digitsParameter(inputs: Inputs, name: string): string | undefined {
  const text = textParameter(inputs, name);
  if (text === undefined || /^\d*$/.test(text)) return text;
  throw new HttpError(400, `Parameter ${name} must be digits, not "${text}"`);
}
