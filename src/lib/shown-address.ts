import { Secret, secretMask } from './secret.ts';

/** The path of an address may be a key, so outputs have a mask instead. */
export function shownAddress(address: string): string {
  const { origin } = new URL(address);
  return pathSecret(address) === undefined ? origin : `${origin}/${secretMask}`;
}

/** The path of an address as a secret; undefined without one. */
export function pathSecret(address: string): Secret | undefined {
  const { pathname } = new URL(address);
  return pathname === '/' ? undefined : new Secret(pathname);
}
