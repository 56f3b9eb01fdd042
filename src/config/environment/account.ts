import type { ProxyServer } from '../../api/http/connection.ts';
import type { Problem } from '../../lib/yaml-source.ts';
import { type AccountSettings, accountSchema } from '../account.ts';
import { isProxyAddress } from '../fields.ts';
import { UsageError } from '../problems/errors.ts';
import { schemaProblems } from '../problems/schema-problems.ts';
import { type AccountFiles, AccountReader, type SettingNames } from '../raw.ts';
import { accountSettingsOf, resolveAccount } from '../resolve-account.ts';
import {
  accountFromVariables,
  accountVariables,
  type Environment,
  unknownVariableProblems,
  variableNames,
  variableOf,
  variablesSet,
} from './variables.ts';

const namesOfVariables: SettingNames = {
  path: [],
  short: variableOf,
  full: variableOf,
  missing: (keys) => {
    const names = keys.map(variableOf);
    const isSet =
      names.length === 1 ? `${names[0]} is not set` : `neither ${names.join(' nor ')} is set`;
    const [first] = variableNames.filter((name) => accountVariables[name].key === keys[0]);
    return first === undefined ? isSet : `${isSet} (${accountVariables[first].help})`;
  },
};

/** Reads the account from the environment. Throws a `UsageError` that lists every problem at once. */
export function accountFromEnvironment(env: Environment, files: AccountFiles): AccountSettings {
  const problems: Problem[] = [];
  const written = accountFromVariables(env);
  const account = new AccountReader(written, namesOfVariables, files, problems);
  if (!account.has('base_url')) account.missing('base_url');
  const { data, error } = accountSchema.safeParse(written);
  const nameOf = ([key]: Problem['path']) => variableOf(String(key));
  problems.push(
    ...(error === undefined ? [] : schemaProblems(accountSchema, written, error, nameOf)).filter(
      ({ path: [key] }) => account.has(String(key)),
    ),
  );
  const resolved = resolveAccount(account, { proxyFor: (url) => environmentProxy(env, url) });
  const messages = [...problems.map(({ message }) => message), ...unknownVariableProblems(env)];
  if (messages.length > 0 || data === undefined || resolved === undefined) {
    throw accountError(env, messages);
  }
  return accountSettingsOf(data, resolved);
}

function accountError(env: Environment, messages: readonly string[]): UsageError {
  const list = messages.map((message) => `  - ${message}`);
  const lines =
    variablesSet(env).length > 0
      ? ['The environment variables do not describe a valid account:', ...list]
      : [
          'No account is configured:',
          ...list,
          'No account at hand? Try a simulated one: npm run demo',
        ];
  return new UsageError(lines.join('\n'));
}

const loopback = 'localhost,127.0.0.1,[::1]';

/**
 * The proxy that the usual variables name for an address; lower case comes before upper case. Loopback
 * addresses are reached directly. Throws a `UsageError` for an invalid proxy address.
 */
export function environmentProxy(env: Environment, address: string): ProxyServer | undefined {
  const name = new URL(address).protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = either(env, name);
  if (text === undefined) return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  if (!isProxyAddress(url)) {
    throw new UsageError(`${name} is not an address such as http://proxy.example.com:3128`);
  }
  const except = either(env, 'NO_PROXY');
  if (except === '*') return undefined;
  return { url, except: except === undefined ? loopback : `${except},${loopback}` };
}

function either(env: Environment, name: string): string | undefined {
  const text = (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  return text === '' ? undefined : text;
}
