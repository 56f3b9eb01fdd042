import type { Configuration } from '../../src/config/configuration.ts';
import { read } from './support.ts';

type Settings = Record<string, unknown>;

/** Sets the value of a key. */
function put(settings: Settings, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest[0] === '[]') {
    const [entry = {}] = (settings[name] ?? []) as Settings[];
    put(entry, rest.slice(1), value);
    settings[name] = [entry];
  } else if (rest.length > 0) {
    settings[name] ??= {};
    put(settings[name] as Settings, rest, value);
  } else settings[name] = value;
}

/** A configuration of one account with these keys, whose paths are those of `effects`. */
export function configurationWith(keys: Readonly<Record<string, unknown>>): Configuration {
  const settings: Settings = {
    accounts: [{ name: 'shop', base_url: 'https://api.example.com', token: 'a-token-of-shop' }],
  };
  for (const [key, value] of Object.entries(keys)) put(settings, key.split('.'), value);
  return read(JSON.stringify(settings));
}
