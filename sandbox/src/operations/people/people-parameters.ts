import { severities } from '../../account/people.ts';
import { HttpError } from '../../server/http-error.ts';
import { type Inputs, textParameter } from '../../server/parameters.ts';
import type { Operation } from '../operation.ts';
import { contactById, oneOf, people, userById } from '../readers.ts';
import { operation, type Reader, required } from '../table.ts';

// What the operations about people of all versions share: readers of parameters, and responses.

export const name = required(textParameter);
export const severitylevel = oneOf(...severities);
export const members: Reader<readonly number[] | undefined> = (inputs, parameter, context) => {
  const ids = people(inputs, parameter, context);
  return ids && [...new Set(ids)];
};

/** Empty text clears the address. */
export const email: Reader<string | undefined> = (inputs, parameter) =>
  matching(inputs, parameter, /^$|^[^\s@]+@[^\s@]+$/, 'an e-mail address');
export const digitsOf: Reader<string | undefined> = (inputs, parameter) =>
  matching(inputs, parameter, /^\d*$/, 'digits');
export const countryiso: Reader<string | undefined> = (inputs, parameter) =>
  matching(inputs, parameter, /^[A-Z]{2}$/, 'two letters');

function matching(inputs: Inputs, parameter: string, pattern: RegExp, what: string) {
  const text = textParameter(inputs, parameter);
  if (text === undefined || pattern.test(text)) return text;
  throw new HttpError(400, `Parameter ${parameter} must be ${what}, not "${text}"`);
}

/** A number and its country code require each other. An empty number needs no country. */
export function telephone(parameter: string, number: string | undefined, code: string | undefined) {
  if (number === undefined && code === undefined) return undefined;
  if (number === '') return { country_code: '', number };
  if (!code) throw new HttpError(400, `Parameter ${parameter} requires parameter countrycode`);
  if (!number) throw new HttpError(400, `Parameter countrycode requires parameter ${parameter}`);
  return { country_code: code, number };
}

export const done = (what: string, which: string) => ({
  message: `${what} of ${which} was successful!`,
});

/** Deletes a person, who is a user in version 2.1 and a contact in the others. */
export function removal(version: '3.1' | '2.0' | '2.1', path: `/${string}`): Operation {
  const [what, person] = version === '2.1' ? ['user', userById] : ['contact', contactById];
  return operation(
    `delete_${what}`,
    `${version} DELETE ${path}`,
    `delete a ${what}`,
    { [`${what}id`]: person },
    (given, { world }) => {
      for (const { id } of Object.values(given)) world.people.people.remove(id);
      return done('Deletion', what);
    },
  );
}
