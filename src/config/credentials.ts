import {
  type Authentication,
  accountCredentials,
  bearerToken,
} from '../api/http/authentication.ts';
import type { ApiVersion } from '../domain/version.ts';
import { Secret } from '../lib/secret.ts';
import type { AccountReader } from './raw.ts';

const secretForms = {
  token: { words: 'token: one word of visible ASCII characters', legible: /^[\x21-\x7e]+$/ },
  password: { words: 'password: one line that is not empty', legible: /^[^\p{Cc}]+$/u },
  hook_secret: {
    words: 'secret of 16 to 128 letters, digits, - and _',
    legible: /^[A-Za-z0-9_-]{16,128}$/,
  },
  app_key: { words: 'key: one word of visible ASCII characters', legible: /^[\x21-\x7e]+$/ },
} as const;

export type SecretKind = keyof typeof secretForms;

/** A password may hold anything that can be typed; the others travel in headers as they are. */
export function readSecretText(
  kind: SecretKind,
  text: string,
): { readonly secret: Secret } | { readonly problem: string } {
  const { words, legible } = secretForms[kind];
  return legible.test(text)
    ? { secret: new Secret(text) }
    : { problem: `does not hold a ${words}` };
}

/** In basic credentials a colon ends the user's name. */
export function isEmail(text: string): boolean {
  return /^[\x21-\x39\x3b-\x7e]+$/.test(text);
}

const legacyKeys = [
  'email',
  'password',
  'password_file',
  'app_key',
  'app_key_file',
  'account_email',
] as const;
const tokenKeys = ['token', 'token_file'] as const;

/** The credentials that the version of the account needs; undefined when they are not there. */
export function readCredentials(
  account: AccountReader,
  version: ApiVersion,
): Authentication | undefined {
  const legacy = version !== '3.1';
  for (const key of legacy ? tokenKeys : legacyKeys) {
    const only = legacy ? 'API 3.1' : 'API 2.x';
    if (account.has(key))
      account.problem(key, `is for ${only}; the account has version ${version}`, 'key');
  }
  if (!legacy) {
    const token = readSecret(account, 'token');
    return token && bearerToken(token);
  }
  if (!account.has('email')) account.missing('email', 'email, the address of the user');
  const password = readSecret(account, 'password');
  const appKey = readSecret(account, 'app_key');
  const [email, accountEmail] = [account.text('email'), account.text('account_email')];
  if (email === undefined || password === undefined || appKey === undefined) return undefined;
  return accountCredentials({
    email,
    password,
    appKey,
    ...(accountEmail !== undefined && { accountEmail }),
  });
}

export function readSecret(account: AccountReader, kind: SecretKind): Secret | undefined {
  const fileKey = `${kind}_file`;
  if (account.has(kind) && account.has(fileKey)) {
    account.problem(fileKey, `set ${kind} or ${fileKey}, not both`, 'key');
    return undefined;
  }
  if (!account.has(kind) && !account.has(fileKey)) {
    account.missing(kind, `${kind} or ${fileKey}`);
    return undefined;
  }
  const inFile = account.has(fileKey);
  const text = inFile ? account.fileText(fileKey)?.trim() : account.text(kind);
  if (text === undefined) return undefined;
  const read = readSecretText(kind, text);
  if ('secret' in read) return read.secret;
  account.problem(inFile ? fileKey : kind, `${inFile ? 'the file ' : ''}${read.problem}`);
  return undefined;
}
