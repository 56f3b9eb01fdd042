import { type ReadFile, readErrorCode } from '../config/read-file.ts';
import { readSecretText, type SecretKind } from '../config/secret-text.ts';
import type { Secret } from '../lib/secret.ts';
import { type Environment, environmentVariables, variable } from './environment-variables.ts';
import { UsageError } from './usage-error.ts';

const variableOf = { token: 'TOKEN', password: 'PASSWORD', app_key: 'APP_KEY' } as const;

/**
 * A secret from its variable, or from the file that `…_FILE` names. Throws a `UsageError`, which does not
 * repeat the path: it may be a misplaced secret.
 */
export function readSecret(kind: SecretKind, env: Environment, readFile: ReadFile): Secret {
  const name = `UPTIME_API_${variableOf[kind]}` as const;
  const fileName = `${name}_FILE` as const;
  const inline = variable(env, name);
  const path = variable(env, fileName);
  if (inline !== undefined && path !== undefined) {
    throw new UsageError(`set ${name} or ${fileName}, not both`);
  }
  if (path !== undefined) {
    return secretFrom(readText(fileName, path, readFile), `${fileName}: the file`, kind);
  }
  if (inline !== undefined) return secretFrom(inline, name, kind);
  throw new UsageError(`neither ${name} nor ${fileName} is set (${environmentVariables[name]})`);
}

function readText(fileName: string, path: string, readFile: ReadFile): string {
  try {
    return readFile(path).trim();
  } catch (error) {
    throw new UsageError(`${fileName}: cannot read the file (${readErrorCode(error)})`);
  }
}

function secretFrom(text: string, where: string, kind: SecretKind): Secret {
  const read = readSecretText(kind, text);
  if ('problem' in read) throw new UsageError(`${where} ${read.problem}`);
  return read.secret;
}
