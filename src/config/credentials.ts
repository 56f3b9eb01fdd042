import {
  type Authentication,
  accountCredentials,
  bearerToken,
} from '../api/http/authentication.ts';
import type { ApiVersion } from '../domain/version.ts';
import { present } from '../lib/present.ts';
import { Secret } from '../lib/secret.ts';
import { hasQuotationMarks, isPlaceholder } from './fields.ts';
import type { AccountReader } from './raw.ts';

export const secretKinds = ['token', 'password', 'app_key', 'hook_secret'] as const;
type SecretKind = (typeof secretKinds)[number];

/** Templates have these instead of a secret: `${TOKEN}`, `$TOKEN`, `$(TOKEN)`, `{{ token }}`, `<token>`. */
const placeholder = /^(?:\$\{.*\}|\$[A-Z][A-Z0-9_]*|\$\(.*\)|\{\{.*\}\}|<[^<>]*>)$/;
/** A password may have quotation marks, the other secrets have none. */
const quoted = /^["']|["']$/;

const oneWord = /^[\x21-\x7e]+$/;

/**
 * A password may have any characters; a reader of UTF-8 puts U+FFFD in place of other bytes. The other
 * secrets are sent in headers without an encoding.
 */
const secretForms: Readonly<
  Record<SecretKind, { readonly description: string; readonly pattern: RegExp }>
> = {
  token: { description: 'token: one word of visible ASCII characters', pattern: oneWord },
  password: {
    description: 'password: one non-empty line in UTF-8',
    pattern: /^[^\p{Cc}\ufffd]+$/u,
  },
  app_key: { description: 'key: one word of visible ASCII characters', pattern: oneWord },
  hook_secret: {
    description: 'secret of 16 to 128 letters, digits, - and _',
    pattern: /^[A-Za-z0-9_-]{16,128}$/,
  },
};

/** A colon is not allowed: in basic credentials it ends the user's name. */
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

/** Reads the credentials for the API version. Reports a problem and returns undefined. */
export function readCredentials(
  account: AccountReader,
  version: ApiVersion,
): Authentication | undefined {
  const legacy = version !== '3.1';
  for (const key of legacy ? tokenKeys : legacyKeys) {
    if (!account.has(key)) continue;
    const only = legacy ? 'API 3.1' : 'API 2.x';
    const problem = `only for ${only}, but the account has version ${version}; remove it, or change the version`;
    account.problem(key, problem, 'key');
  }
  if (!legacy) {
    const token = readSecret(account, 'token');
    return token && bearerToken(token);
  }
  if (!account.has('email')) account.missing('email');
  const password = readSecret(account, 'password');
  const appKey = readSecret(account, 'app_key');
  const [email, accountEmail] = [account.text('email'), account.text('account_email')];
  if (email === undefined || password === undefined || appKey === undefined) return undefined;
  return accountCredentials(present({ email, password, appKey, accountEmail }));
}

/** Reads the webhook's secret. Undefined without one, or after reporting an invalid one. */
export function readHookSecret(account: AccountReader): Secret | undefined {
  const isSet = account.has('hook_secret') || account.has('hook_secret_file');
  return isSet ? readSecret(account, 'hook_secret') : undefined;
}

function readSecret(account: AccountReader, kind: SecretKind): Secret | undefined {
  const fileKey = `${kind}_file`;
  const inFile = account.has(fileKey);
  if (account.has(kind) && inFile) {
    const choice = `${account.nameOf(kind)} or ${account.nameOf(fileKey)}`;
    account.problem(fileKey, `set ${choice}, not both`, 'key');
    return undefined;
  }
  if (!account.has(kind) && !inFile) {
    account.missing(kind, fileKey);
    return undefined;
  }
  // Another file has another secret.
  if (inFile && !account.readsFiles) return new Secret(`(not read) ${account.text(fileKey)}`);
  const text = inFile ? account.fileText(fileKey)?.trim() : account.text(kind);
  if (text === undefined) return undefined;
  const mistake = mistakeIn(text, kind, account.nameOf(fileKey));
  if (mistake === undefined) return new Secret(text);
  if (inFile) account.problem(fileKey, text === '' ? mistake : `the file ${mistake}`);
  else account.problem(kind, mistake);
  return undefined;
}

/** Returns what is wrong with a secret, without repeating it; undefined if nothing is. */
function mistakeIn(text: string, kind: SecretKind, fileName: string): string | undefined {
  const { description, pattern } = secretForms[kind];
  if (text === '') return `the file is empty; it must hold a ${description}`;
  if (placeholder.test(text)) {
    return `${isPlaceholder}; write the secret itself, or set ${fileName} to the path of a file that holds it`;
  }
  if (kind !== 'password' && quoted.test(text)) return hasQuotationMarks;
  if (pattern.test(text)) return undefined;
  const excess = /^Bearer\s/i.test(text) ? '; leave out "Bearer", which the exporter adds' : '';
  return `does not hold a ${description}${excess}`;
}
