import type { Problem } from '../../lib/yaml-source.ts';
import { type AccountSettings, accountSchema } from '../account.ts';
import { UsageError } from '../problems/errors.ts';
import { schemaProblems } from '../problems/schema-problems.ts';
import { type AccountFiles, AccountReader, type SettingNames } from '../raw.ts';
import { accountSettingsOf, resolveAccount } from '../resolve-account.ts';
import { environmentProxy } from './proxy.ts';
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
