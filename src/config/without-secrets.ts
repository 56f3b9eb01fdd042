import { secretMask } from '../lib/secret.ts';
import { isMapping } from './raw.ts';

const secretNames: ReadonlySet<string> = new Set(['token', 'password', 'app_key']);

/** What a configuration says, fit to be shown. The names of files that hold secrets are kept. */
export function withoutSecrets(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(withoutSecrets);
  if (!isMapping(written)) return written;
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      if (secretNames.has(name)) return [name, secretMask];
      return [name, name === 'proxy' ? withoutCredentials(value) : withoutSecrets(value)];
    }),
  );
}

/** The address of a proxy may hold a user and a password, or a key in place of the user. */
function withoutCredentials(address: unknown): unknown {
  if (typeof address !== 'string' || !URL.canParse(address)) return address;
  const { username, password } = new URL(address);
  if (username === '' && password === '') return address;
  return address.replace(/\/\/.*@/s, `//${secretMask}@`);
}
