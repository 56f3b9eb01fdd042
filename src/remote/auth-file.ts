import { readFileSync } from 'node:fs';
import { UsageError } from '../config/problems.ts';
import { readProblem } from '../lib/file-problem.ts';
import { Secret } from '../lib/secret.ts';

/** The credentials of a request, which must not appear in messages. */
export interface Credentials {
  /** The value of the header `Authorization`. */
  readonly header: Secret;
  /** The password or token without the rest. */
  readonly secret: Secret;
}

/**
 * Reads a file with `user:password` or `Bearer TOKEN`. It is a file because all users of a machine
 * can read the command line. The messages of its `UsageError` do not repeat the contents.
 */
export function readAuthFile(flag: string, path: string): Credentials {
  const text = readText(flag, path).trim();
  const [, token] = /^Bearer ([\x21-\x7e]+)$/.exec(text) ?? [];
  if (token !== undefined) return { header: new Secret(text), secret: new Secret(token) };
  const [, password] = /^[^:\p{Cc}]+:([^\p{Cc}]+)$/u.exec(text) ?? [];
  if (password === undefined) {
    throw new UsageError(
      `${flag}: the file must hold one line: user:password, or the word Bearer with a token`,
    );
  }
  const header = `Basic ${Buffer.from(text).toString('base64')}`;
  return { header: new Secret(header), secret: new Secret(password) };
}

function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag}: cannot read the file: ${readProblem(path, error)}`);
  }
}
