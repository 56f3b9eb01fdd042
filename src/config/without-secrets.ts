import { isMapping } from './raw.ts';

const secretNames: ReadonlySet<string> = new Set(['token', 'password', 'app_key']);
const mask = '<secret>';

/** What a configuration says, fit to be shown. The names of files that hold secrets are kept. */
export function withoutSecrets(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(withoutSecrets);
  if (!isMapping(written)) return written;
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      if (secretNames.has(name)) return [name, mask];
      return [name, name === 'proxy' ? withoutPassword(value) : withoutSecrets(value)];
    }),
  );
}

/** The address of a proxy may hold a user and a password. */
function withoutPassword(address: unknown): unknown {
  if (typeof address !== 'string' || !URL.canParse(address)) return address;
  return new URL(address).password === '' ? address : address.replace(/\/\/.*@/s, `//${mask}@`);
}
