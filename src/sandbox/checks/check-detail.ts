import type { ApiVersion } from '../../domain/api-version.ts';
import type { OperationContext } from '../operation.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import type { World } from '../world.ts';
import { generalSettings } from './general-settings.ts';
import { listEntry } from './list-entry.ts';
import { headersByName } from './request-headers.ts';
import { targetSettings } from './target-settings.ts';

/** A check with its settings (API 3.1, section 2.1; legacy versions, section 2.1). What is not set is absent. */
export function checkDetail(
  check: SandboxCheck,
  context: OperationContext,
  includeTeams: boolean,
): object {
  const { version, world } = context;
  const current = version === '3.1';
  const entry = listEntry(check, context, { tags: current, severity: current, encryption: false });
  const general = generalSettings
    .filter(({ name, versions }) => versions.includes(version) && name !== 'teamids')
    .map(({ name }) => [name, shown(name, check, world)]);
  return {
    ...entry,
    ...Object.fromEntries(general),
    type: { [check.type]: targetDetail(check, version) },
    teams: includeTeams ? teamsOf(check, world) : undefined,
  };
}

function targetDetail({ type, settings }: SandboxCheck, version: ApiVersion): object {
  const fields = targetSettings[type].filter(({ versions }) => versions.includes(version));
  return Object.assign(
    {},
    ...fields.map(({ name }) => {
      const value = settings[name];
      if (value === undefined) return {};
      if (name === 'auth') return userAndPassword(String(value));
      if (name === 'requestheaders' && version !== '3.1') {
        return { requestheaders: headersByName(value as readonly string[]) };
      }
      return { [name]: value };
    }),
  );
}

function userAndPassword(auth: string): object {
  const colon = auth.indexOf(':');
  return { username: auth.slice(0, colon), password: auth.slice(colon + 1) };
}

/** People that are gone are not shown. */
function shown(name: string, { settings }: SandboxCheck, world: World) {
  const value = settings[name];
  if (name !== 'userids' && name !== 'contactids') return value;
  return (value as readonly number[]).filter((id) => world.people.person(id) !== undefined);
}

function teamsOf({ settings }: SandboxCheck, world: World): object[] {
  const teams = (settings.teamids as readonly number[]).flatMap(
    (id) => world.people.team(id) ?? [],
  );
  return teams.map(({ id, name }) => ({ id, name }));
}
