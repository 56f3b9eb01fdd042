import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { z } from 'zod';
import { messageOf } from '../../lib/error-text.ts';
import { readProblem } from '../../lib/file-problem.ts';
import { orUndefined } from '../../lib/or-undefined.ts';
import { formatPath, schemaProblems } from '../../lib/schema-problems.ts';
import { type Path, YamlSource } from '../../lib/yaml-source.ts';
import { ListenError } from '../server/listen-address.ts';
import {
  type ClientAuthType,
  curves,
  opensslCiphers,
  type TlsServerConfig,
  tlsVersions,
  type WebConfigFile,
  webConfigSchema,
} from './schema.ts';

/** The files that a web configuration names, as the process sees them. */
export interface WebFiles {
  /** Returns the text of a file; throws when it cannot be read. */
  read(path: string): string;
  /** Returns a text that changes with the contents of the file. Does not throw. */
  fingerprint(path: string): string;
}

type FileTexts = Pick<WebFiles, 'read'>;

export interface WebConfig {
  /** Absent for plain HTTP. */
  readonly tls?: TlsSettings;
  /** Bcrypt hashes by user; empty when everyone may read. */
  readonly users: ReadonlyMap<string, string>;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TlsSettings {
  readonly clientAuth: ClientAuthType;
  readonly context: SecureContextOptions;
}

/** @throws {ListenError} if the file, or a file that it names, cannot be used */
export function loadWebConfig(path: string, files: FileTexts): WebConfig {
  const parsed = parseWebConfig(read(files, path, 'the web configuration '), path);
  const { tls_server_config: tls, http_server_config: http, basic_auth_users: users } = parsed;
  const headers = Object.entries(http?.headers ?? {}).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );
  return {
    ...(tls && { tls: tlsSettings(tls, path, files) }),
    users: new Map(Object.entries(users ?? {})),
    headers: Object.fromEntries(headers),
  };
}

function tlsSettings(tls: TlsServerConfig, path: string, files: FileTexts): TlsSettings {
  const pathOf = (name: string) => resolve(dirname(path), name);
  const text = (name: string) => read(files, pathOf(name));
  const context: SecureContextOptions = {
    cert: text(tls.cert_file),
    key: text(tls.key_file),
    ...(tls.client_ca_file !== undefined && { ca: text(tls.client_ca_file) }),
    minVersion: tlsVersions[tls.min_version],
    maxVersion: tlsVersions[tls.max_version],
    honorCipherOrder: tls.prefer_server_cipher_suites,
    ...(tls.cipher_suites && { ciphers: opensslCiphers(tls.cipher_suites) }),
    ...(tls.curve_preferences && {
      ecdhCurve: tls.curve_preferences.map((name) => curves[name]).join(':'),
    }),
  };
  try {
    createSecureContext(context);
  } catch (error) {
    const reason = messageOf(error);
    const problem = keyPairProblem(
      { path: pathOf(tls.cert_file), text: text(tls.cert_file) },
      { path: pathOf(tls.key_file), text: text(tls.key_file) },
    );
    throw new ListenError(
      `${path}: tls_server_config${problem ?? `: the certificate and key cannot be used: ${reason}`}`,
    );
  }
  return { clientAuth: tls.client_auth_type, context };
}

interface FileText {
  readonly path: string;
  readonly text: string;
}

/** The mistake in a certificate and its key: the messages of OpenSSL do not name the file. */
function keyPairProblem(certFile: FileText, keyFile: FileText): string | undefined {
  const cert = orUndefined(() => new X509Certificate(certFile.text));
  if (cert === undefined) {
    return `.cert_file: ${certFile.path} holds no PEM certificate, which begins with -----BEGIN CERTIFICATE-----`;
  }
  if (/-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(keyFile.text)) {
    return `.key_file: ${keyFile.path} is encrypted; store it without a password, as openssl pkey -in OLD -out NEW does`;
  }
  const key = orUndefined((): KeyObject => createPrivateKey(keyFile.text));
  if (key === undefined) {
    return `.key_file: ${keyFile.path} holds no PEM private key, which begins with -----BEGIN PRIVATE KEY-----`;
  }
  if (cert.checkPrivateKey(key)) return undefined;
  return `.key_file: ${keyFile.path} does not belong to the certificate ${certFile.path}; name the key that the certificate was made for`;
}

function read(files: FileTexts, path: string, kind = ''): string {
  try {
    return files.read(path);
  } catch (error) {
    throw new ListenError(`cannot read ${kind}${path}: ${readProblem(path, error)}`, {
      cause: error,
    });
  }
}

/**
 * Parses the text of a web configuration file. Errors repeat no value that may be a secret, and
 * only the part of a key that is a name, because either may be a misplaced password.
 *
 * @throws {ListenError} that names every problem with its line and column
 */
export function parseWebConfig(text: string, path: string): WebConfigFile {
  const source = new YamlSource(path, text);
  const read = source.read();
  if ('report' in read) throw new ListenError(read.report);
  const value = read.value ?? {};
  const { data, error } = webConfigSchema.safeParse(value, { error: allowedBy });
  if (error === undefined) return data;
  throw new ListenError(source.report(schemaProblems(webConfigSchema, value, error, placeName)));
}

const kinds: { readonly [expected: string]: string } = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  record: 'a mapping of users to bcrypt hashes',
};

/** The values that are allowed in the place of a wrong one for which the schema has no text. */
function allowedBy(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? issue.expected;
  if (issue.code !== 'invalid_value') return undefined;
  return issue.values.map((value) => (value === '' ? '""' : String(value))).join(', ');
}

/** Returns the path for a message. A password may follow a user's name (`{alice:abc}`), or be it. */
function placeName([first, user, ...rest]: Path): string {
  if (first === undefined) return 'the file';
  if (first !== 'basic_auth_users' || user === undefined) {
    return formatPath(user === undefined ? [first] : [first, user, ...rest]);
  }
  return formatPath([first, /^[a-z_-]{1,40}(?=$|[:=\s])/i.exec(String(user))?.[0] ?? '…']);
}
