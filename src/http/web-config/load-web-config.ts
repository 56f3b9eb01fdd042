import { dirname, resolve } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ListenError } from '../server/listen-address.ts';
import { opensslCiphers } from './cipher-suites.ts';
import { parseWebConfig } from './parse-web-config.ts';
import { type ClientAuthType, curves, type TlsServerConfig, tlsVersions } from './schema.ts';

/** The files that a web configuration names, as the process sees them. */
export interface WebFiles {
  /** The text of a file; throws when it cannot be read. */
  read(path: string): string;
  /** A text that is another one when the file is; it does not throw. */
  fingerprint(path: string): string;
}

type FileTexts = Pick<WebFiles, 'read'>;

/** A web configuration that is ready to be used. */
export interface WebConfig {
  /** Absent for plain HTTP. */
  readonly tls?: TlsSettings;
  /** Bcrypt hashes by user; empty when everybody may read. */
  readonly users: ReadonlyMap<string, string>;
  /** Headers of every reply. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TlsSettings {
  readonly clientAuth: ClientAuthType;
  readonly context: SecureContextOptions;
}

/** @throws {ListenError} when the file, or one that it names, cannot be used */
export function loadWebConfig(path: string, files: FileTexts): WebConfig {
  const parsed = parseWebConfig(read(files, path), path);
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
  const text = (name: string) => read(files, resolve(dirname(path), name));
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new ListenError(`${path}: the certificate and key cannot be used: ${reason}`);
  }
  return { clientAuth: tls.client_auth_type, context };
}

function read(files: FileTexts, path: string): string {
  try {
    return files.read(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ListenError(`cannot read ${path}: ${code}`, { cause: error });
  }
}
