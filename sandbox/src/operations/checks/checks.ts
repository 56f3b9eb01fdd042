import { generalSettings, headersByName, targetSettings } from '../../account/check-settings.ts';
import type { SandboxCheck } from '../../account/checks.ts';
import type { World } from '../../account/world.ts';
import { day } from '../../lib/instant.ts';
import { listParameter } from '../../server/parameters.ts';
import type { TestResult } from '../../simulation/history.ts';
import type { Observation } from '../../simulation/observer.ts';
import type { OperationContext } from '../operation.ts';
import { checkById, flag, pageOf, strictPage } from '../readers.ts';
import { only, operation } from '../table.ts';
import { inListOrder, shownMilliseconds } from '../wire-values.ts';

interface EntryOptions {
  readonly tags: boolean;
  readonly severity: boolean;
  readonly encryption: boolean;
}

/**
 * A check in the form of the list (API 3.1, section 2.1; legacy versions, section 2.1). Fields that
 * do not apply are absent.
 */
function checkEntry(check: SandboxCheck, context: OperationContext, include: EntryOptions): object {
  const { world, now, version } = context;
  const current = version === '3.1';
  const { status, lastTest, lastErrorTime, lastOutage } = observed(check, world, now);
  const isMeasured = status !== 'down' && status !== 'unconfirmed_down' && status !== 'paused';
  const isFirstGood = status === 'up' && lastTest?.time === lastOutage?.end;
  const isRecovering = isFirstGood && world.wire.recoveries === 'unconfirmed_up';
  // JSON omits undefined fields.
  return {
    id: check.id,
    created: check.created,
    name: check.name,
    hostname: check.hostname,
    resolution: check.resolutionMinutes,
    type: check.type,
    ipv6: check.ipv6,
    status: isRecovering ? 'unconfirmed_up' : status,
    lasterrortime: lastErrorTime,
    lasttesttime:
      world.wire.unknownTests === 'listed'
        ? lastTest?.time
        : world.history.lastOutcomeTime(check, lastTest?.time ?? now),
    lastresponsetime: lastTest && responseTimeOf(check, context, isMeasured ? lastTest : undefined),
    lastdownstart: current ? lastOutage?.start : undefined,
    lastdownend: current ? downEndOf(check, context, { status, lastTest, lastOutage }) : undefined,
    probe_filters: version === '2.1' ? check.settings.probe_filters : undefined,
    severity: include.severity ? check.severity : undefined,
    encryption: include.encryption ? check.settings.encryption : undefined,
    tags: include.tags
      ? check.tags.map((tag) => ({ ...tag, count: world.checkTags.get(tag.name) }))
      : undefined,
  };
}

/** The response time of the last test, or what stands for it if that test measured none. */
function responseTimeOf(
  check: SandboxCheck,
  { world: { history, wire }, now }: OperationContext,
  measured: TestResult | undefined,
): number | undefined {
  if (measured !== undefined) return shownMilliseconds(wire, measured);
  if (wire.unmeasured === 'absent') return undefined;
  if (wire.unmeasured === 'zero') return 0;
  const [last] = history.resultsNewestFirst(check, now - day, now + 1, new Set(['up']));
  return (last && shownMilliseconds(wire, last)) ?? 0;
}

function downEndOf(
  check: SandboxCheck,
  { world: { history, wire }, now }: OperationContext,
  { status, lastTest, lastOutage }: Pick<Observation, 'status' | 'lastTest' | 'lastOutage'>,
): number | undefined {
  if (lastOutage?.end === undefined) {
    if (wire.openDownEnd === 'earlier') {
      return lastOutage && history.lastOutage(check, lastOutage.start - 1)?.end;
    }
    return status === 'down' && wire.openDownEnd === 'last-test' ? lastTest?.time : undefined;
  }
  if (wire.downEnd === 'next-test') return lastOutage.end;
  const good = history.segments(check, lastOutage.end, now + 1, now + 1);
  return good.find((segment) => segment.status === 'up')?.from;
}

/** The time of the last test may be listed before its outcome. */
function observed(check: SandboxCheck, world: World, now: number): Observation {
  const { lastTest } = world.observer.observe(check, now);
  const shown = world.observer.observe(check, statusTime(check, world, now));
  return lastTest === undefined ? shown : { ...shown, lastTest };
}

/** The time in UNIX seconds whose status a list at `now` shows of a check. */
export function statusTime(check: SandboxCheck, { observer, lags }: World, now: number): number {
  const { lastTest, status } = observer.observe(check, now);
  if (lastTest === undefined || status === 'paused') return now;
  if (!lags.isStatusLate(check.id, lastTest.time, now)) return now;
  const before = lastTest.time - 1;
  return observer.observe(check, before).status === 'paused' ? now : before;
}

const maxLimit = 25_000;

/** API 3.1, section 4.1; legacy versions, section 4.1. */
export const listChecks = operation(
  'list_checks',
  'GET /checks',
  'list checks',
  {
    page: strictPage(maxLimit, maxLimit),
    tags: listParameter,
    include_tags: flag,
    include_severity: only(['3.1', '2.1'], flag),
    showencryption: only(['3.1', '2.1'], flag),
  },
  ({ tags, page, ...given }, context) => {
    const { world, version, askedAt } = context;
    const options: EntryOptions = {
      tags: given.include_tags,
      severity: given.include_severity,
      encryption: given.showencryption,
    };
    const listed = world.checks.filter(({ id }) => !world.lags.isOmitted(id, askedAt));
    const filtered = withAnyTag(listed, tags);
    const shown = pageOf(inListOrder(filtered, world.wire), page);
    const checks = shown.map((each) => checkEntry(each, context, options));
    if (version === '2.0') return { checks };
    return {
      checks,
      counts: { total: listed.length, limited: shown.length, filtered: filtered.length },
    };
  },
);

function withAnyTag(checks: readonly SandboxCheck[], tags: readonly string[]) {
  if (tags.length === 0) return checks;
  return checks.filter((check) => check.tags.some(({ name }) => tags.includes(name)));
}

/**
 * A check with its settings (API 3.1, section 2.1; legacy versions, section 2.1). Unset settings
 * are absent.
 */
function checkDetail(
  check: SandboxCheck,
  context: OperationContext,
  includeTeams: boolean,
): object {
  const { version, world } = context;
  const current = version === '3.1';
  const entry = checkEntry(check, context, { tags: current, severity: current, encryption: false });
  const general = generalSettings
    .filter(({ name, versions }) => versions.includes(version) && name !== 'teamids')
    .map(({ name }) => [name, shown(name, check, world)]);
  return {
    ...entry,
    ...Object.fromEntries(general),
    type: { [check.type]: targetDetail(check, context) },
    teams: includeTeams ? teamsOf(check, world) : undefined,
  };
}

function targetDetail(
  { type, settings }: SandboxCheck,
  { version, world }: OperationContext,
): object {
  const asWritten = version === '3.1' && world.wire.requestHeaders === 'array';
  const fields = targetSettings[type].filter(({ versions }) => versions.includes(version));
  return Object.assign(
    {},
    ...fields.map(({ name }) => {
      const value = settings[name];
      if (value === undefined) return {};
      if (name === 'auth') return userAndPassword(String(value));
      if (name === 'requestheaders' && !asWritten) {
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

/** Removed people are not shown. */
function shown(name: string, { settings }: SandboxCheck, world: World) {
  const value = settings[name];
  if (name !== 'userids' && name !== 'contactids') return value;
  return (value as readonly number[]).filter((id) => world.people.people.find(id) !== undefined);
}

function teamsOf({ settings }: SandboxCheck, world: World): object[] {
  const teams = world.people.teams.known(settings.teamids as readonly number[]);
  return teams.map(({ id, name }) => ({ id, name }));
}

/** API 3.1, section 4.1; legacy versions, section 4.1. */
export const readCheck = operation(
  'get_check',
  'GET /checks/:checkid',
  'read one check with its settings',
  { checkid: checkById, include_teams: only(['3.1', '2.1'], flag) },
  ({ checkid: check, include_teams }, context) => ({
    check: checkDetail(check, context, include_teams),
  }),
);
