import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { describeYamlError } from '../../lib/yaml-errors.ts';
import { ListenError } from '../server/listen-address.ts';
import { type WebConfigFile, webConfigSchema } from './schema.ts';

interface Problem {
  /** Where in the text. */
  readonly offset: number;
  readonly message: string;
}

/**
 * Reads the text of a web configuration file. No value of the file is repeated in an error, and
 * of a key only a name: they may be a password in the wrong place.
 *
 * @throws {ListenError} that names every problem with its line and column
 */
export function parseWebConfig(text: string, path: string): WebConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const refuse = (problems: readonly Problem[]) => {
    const places = problems.map(({ offset, message }) => {
      const { line, col } = lines.linePos(offset);
      return `${path}:${line}:${col}: ${message}`;
    });
    return new ListenError(places.join('\n'));
  };
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    throw refuse(
      broken.map(({ pos, code }) => ({ offset: pos[0], message: describeYamlError(code) })),
    );
  }
  const parsed = webConfigSchema.safeParse(contentOf(document) ?? {});
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues.flatMap((issue) => problemsOf(issue, document)));
}

/** Aliases that multiply give undefined values, which the schema refuses. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return 'too many aliases';
  }
}

function problemsOf(issue: z.core.$ZodIssue, document: Document): Problem[] {
  const { path } = issue;
  const name = path.length === 0 ? 'the file' : placeName(path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const word = nameIn(key);
      const shown = word === undefined ? '' : ` "${word}"`;
      return {
        offset: offsetOfKey(document, path, key),
        message: `unknown key${shown} in ${name}`,
      };
    });
  }
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : issue.message;
  return [{ offset: offsetOf(document, path), message: `${name}: ${message}` }];
}

/** Every key on the way is one of the schema, but those of the users. */
function placeName([first, ...rest]: readonly PropertyKey[]): string {
  const shown = first === 'basic_auth_users' ? rest.map((user) => nameIn(user) ?? '…') : rest;
  return [first, ...shown].map(String).join('.');
}

/** The part of a key that is a name. A secret may follow it (`{alice:abc}`), or be the key itself (`{abc}`). */
function nameIn(key: PropertyKey): string | undefined {
  return /^[a-z_-]{1,40}(?=$|[:=\s])/i.exec(String(key))?.[0];
}

/** Of what is missing, where it should have been. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function offsetOfKey(document: Document, path: readonly PropertyKey[], key: string): number {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(map)
    ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    : undefined;
  return (isScalar(pair?.key) ? pair.key.range?.[0] : undefined) ?? offsetOf(document, path);
}
