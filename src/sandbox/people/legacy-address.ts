import { type Inputs, textParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import { emailAddress } from './notification-targets.ts';

/** The parameter `email`: empty text where it is to be cleared. */
export function emailParameter(inputs: Inputs): string | undefined {
  const text = textParameter(inputs, 'email');
  if (text === undefined || text === '' || emailAddress.safeParse(text).success) return text;
  throw new Refusal(400, `Parameter email must be an e-mail address, not "${text}"`);
}

/**
 * A telephone number and its country code, which require one another; `name` is the parameter with the
 * number. An empty number, with which it is cleared, needs no country.
 */
export function telephoneParameters(
  inputs: Inputs,
  name: 'number' | 'cellphone',
): { readonly country_code: string; readonly number: string } | undefined {
  const number = digitsParameter(inputs, name);
  const country_code = digitsParameter(inputs, 'countrycode');
  if (number === undefined && country_code === undefined) return undefined;
  if (number === '') return { country_code: '', number };
  if (!country_code) throw new Refusal(400, `Parameter ${name} requires parameter countrycode`);
  if (!number) throw new Refusal(400, `Parameter countrycode requires parameter ${name}`);
  return { country_code, number };
}

function digitsParameter(inputs: Inputs, name: string): string | undefined {
  const text = textParameter(inputs, name);
  if (text === undefined || /^\d*$/.test(text)) return text;
  throw new Refusal(400, `Parameter ${name} must be digits, not "${text}"`);
}
