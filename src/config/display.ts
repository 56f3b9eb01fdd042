import { stringify } from 'yaml';
import { present } from '../lib/present.ts';
import { secretMask } from '../lib/secret.ts';
import { shownAddress } from '../lib/shown-address.ts';
import type { Configuration } from './configuration.ts';
import { secretKinds } from './credentials.ts';
import { formatDuration } from './fields.ts';
import { isMapping, mapping } from './raw.ts';
import { type Serving, servingKeys } from './serving.ts';

const secretNames: ReadonlySet<string> = new Set(secretKinds);

/** Returns the configuration without secrets. The names of files with secrets are kept. */
export function redactSecrets(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(redactSecrets);
  if (!isMapping(written)) return written;
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      if (secretNames.has(name)) return [name, secretMask];
      if (name === 'proxy') return [name, redactUrlCredentials(value)];
      return [name, name === 'base_url' ? redactPath(value) : redactSecrets(value)];
    }),
  );
}

function redactPath(address: unknown): unknown {
  return typeof address === 'string' && URL.canParse(address) ? shownAddress(address) : address;
}

/** The address of a proxy may contain a user and a password, or a key instead of the user. */
function redactUrlCredentials(address: unknown): unknown {
  if (typeof address !== 'string' || !URL.canParse(address)) return address;
  const { username, password } = new URL(address);
  if (username === '' && password === '') return address;
  return address.replace(/\/\/.*@/s, `//${secretMask}@`);
}

/**
 * The configuration in use as YAML: the file without secrets, with the serving settings that result
 * from the file, the environment, the flags and the defaults.
 */
export function configurationYaml({ shown }: Configuration, serving: Serving): string {
  const { accounts, ...written } = mapping(shown);
  const [address, ...furtherAddresses] = serving.listenAddresses;
  return stringify({
    ...written,
    web: {
      ...sectionOf('web', serving),
      listen_address: furtherAddresses.length === 0 ? address : serving.listenAddresses,
    },
    storage: storageOf(serving),
    log: sectionOf('log', serving),
    accounts,
  });
}

/** The settings in use of a section of the file. */
function sectionOf(section: string, serving: Serving): object {
  const settings = Object.entries(servingKeys).flatMap(([name, path]) => {
    const [of, key] = path.split('.');
    return of === section ? [[key, serving[name as keyof Serving]]] : [];
  });
  return present(Object.fromEntries(settings));
}

function storageOf({ storagePath, storageUrl, ...serving }: Serving) {
  if (storageUrl === undefined) return { path: storagePath };
  return {
    url: storageUrl,
    ...present({ password_file: serving.storagePasswordFile, ca_file: serving.storageCaFile }),
    lease_ttl: formatDuration(serving.leaseTtlSeconds),
    synchronous_standby: serving.synchronousStandby,
  };
}
