import type { AccountSettings } from '../config/account.ts';

/** The names of the accounts that new settings added, changed or removed. */
export interface AccountChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function accountChanges(
  before: readonly AccountSettings[],
  after: readonly AccountSettings[],
): AccountChanges {
  const byName = new Map(before.map((settings) => [settings.name, settings]));
  const names = new Set(after.map(({ name }) => name));
  const isChanged = (settings: AccountSettings) => {
    const previous = byName.get(settings.name);
    return previous !== undefined && !hasSameSettings(previous, settings);
  };
  return {
    added: [...names].filter((name) => !byName.has(name)),
    changed: after.filter(isChanged).map(({ name }) => name),
    removed: [...byName.keys()].filter((name) => !names.has(name)),
  };
}

function hasSameSettings(a: AccountSettings, b: AccountSettings): boolean {
  return a.digest !== undefined && a.digest === b.digest;
}
