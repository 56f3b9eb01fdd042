import { Secret } from '../lib/secret.ts';
import {
  type Environment,
  environmentVariables,
  type ReadFile,
  variable,
} from './environment-variables.ts';
import { UsageError } from './usage-error.ts';

/** A secret from its variable, or from the file that `…_FILE` names. Throws a `UsageError`. */
export function readSecret(
  kind: 'TOKEN' | 'PASSWORD' | 'APP_KEY',
  env: Environment,
  readFile: ReadFile,
): Secret {
  const name = `UPTIME_API_${kind}` as const;
  const fileName = `${name}_FILE` as const;
  const inline = variable(env, name);
  const path = variable(env, fileName);
  if (inline !== undefined && path !== undefined) {
    throw new UsageError(`set ${name} or ${fileName}, not both`);
  }
  if (path !== undefined) {
    return secretFrom(readText(fileName, path, readFile), `the file ${path}`, kind);
  }
  if (inline !== undefined) return secretFrom(inline, name, kind);
  throw new UsageError(`neither ${name} nor ${fileName} is set (${environmentVariables[name]})`);
}

function readText(fileName: string, path: string, readFile: ReadFile): string {
  try {
    return readFile(path).trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new UsageError(`${fileName}: cannot read ${path} (${code})`);
  }
}

/** A password may hold anything that can be typed; the others travel in headers as they are. */
function secretFrom(text: string, where: string, kind: string): Secret {
  const legible = kind === 'PASSWORD' ? /^[^\p{Cc}]+$/u : /^[\x21-\x7e]+$/;
  if (!legible.test(text)) {
    throw new UsageError(`${where} does not hold a ${words[kind] ?? kind}`);
  }
  return new Secret(text);
}

const words: Readonly<Record<string, string>> = {
  TOKEN: 'token: one word of visible ASCII characters',
  PASSWORD: 'password: one line that is not empty',
  APP_KEY: 'key: one word of visible ASCII characters',
};
