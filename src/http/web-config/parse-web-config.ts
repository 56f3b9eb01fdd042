import type { z } from 'zod';
import { type Path, type Problem, YamlSource } from '../../lib/yaml-source.ts';
import { ListenError } from '../server/listen-address.ts';
import { type WebConfigFile, webConfigSchema } from './schema.ts';

/**
 * Reads the text of a web configuration file. Errors repeat no value of the file, and of a key only
 * the part that is a name: either may be a misplaced password.
 *
 * @throws {ListenError} that names every problem with its line and column
 */
export function parseWebConfig(text: string, path: string): WebConfigFile {
  const source = new YamlSource(path, text);
  const read = source.read();
  if ('report' in read) throw new ListenError(read.report);
  const { data, error } = webConfigSchema.safeParse(read.value ?? {});
  if (error === undefined) return data;
  throw new ListenError(source.report(error.issues.flatMap(problemsOf)));
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const place = path.length === 0 ? 'the file' : placeName(path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const word = nameIn(key);
      const shown = word === undefined ? '' : ` "${word}"`;
      return { path: [...path, key], at: 'key', message: `unknown key${shown} in ${place}` };
    });
  }
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : issue.message;
  return [{ path, at: 'value', message: `${place}: ${message}` }];
}

/** Every key of the path is one of the schema, except the names of users. */
function placeName([first, ...rest]: Path): string {
  const shown = first === 'basic_auth_users' ? rest.map((user) => nameIn(user) ?? '…') : rest;
  return [first, ...shown].map(String).join('.');
}

/** The part of a key that is a name. A secret may follow it (`{alice:abc}`), or be the key itself (`{abc}`). */
function nameIn(key: string | number): string | undefined {
  return /^[a-z_-]{1,40}(?=$|[:=\s])/i.exec(String(key))?.[0];
}
