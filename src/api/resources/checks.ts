import { z } from 'zod';
import {
  type Check,
  type CheckAlertSettings,
  type CheckTag,
  type CheckType,
  checkTypes,
  type ListedStatus,
  lastTestFailed,
  listedStatuses,
  maxTags,
  type RecipientCounts,
  recipientKinds,
} from '../../domain/check.ts';
import type { SharedTags } from '../../domain/shared-tags.ts';
import { plainEqual } from '../../lib/plain-equal.ts';
import { type Mutable, present } from '../../lib/present.ts';
import { arrayIn, isObject, objectIn, requireDecoded } from '../decoding/envelope.ts';
import {
  booleanOf,
  enumValueOf,
  flag,
  integer,
  milliseconds,
  minutes,
  number,
  readFlag,
  readIdentifier,
  readNumber,
  readText,
  seconds,
  timestamp,
  visibleText,
} from '../decoding/fields.ts';
import { byId, plainWord, type ResultPage, readList, unknownStatus } from '../list.ts';
import type { Reader } from '../reader.ts';
import type { KnownCheck, Listing } from '../service.ts';

/**
 * The first valid tags of a check, without duplicates (API 3.1, section 2.1). Their `count` is
 * ignored: it is a number or text, and counts the tag in the whole account.
 */
export function decodeCheckTags(value: unknown): readonly CheckTag[] {
  if (!Array.isArray(value)) return [];
  const tags: CheckTag[] = [];
  for (const entry of value) {
    if (tags.length === maxTags) break;
    const tag = decodeTag(entry);
    if (tag === undefined) continue;
    const { name, source } = tag;
    if (!tags.some((other) => other.name === name && other.source === source)) tags.push(tag);
  }
  return tags;
}

/** Returns whether an entry of a list has more tags than are read. */
export function hasMoreTags(entry: unknown): boolean {
  return isObject(entry) && Array.isArray(entry.tags) && entry.tags.length > maxTags;
}

/** Decodes a tag: an object `{name, type}`, or only the name, for a tag that a person has set. */
function decodeTag(entry: unknown): CheckTag | undefined {
  const { name, type } = isObject(entry) ? entry : { name: entry, type: 'u' };
  const text = typeof name === 'string' ? visibleText(name) : undefined;
  return text === undefined ? undefined : { name: text, source: sourceOf(type) };
}

function sourceOf(type: unknown): CheckTag['source'] {
  return type === 'a' ? 'auto' : 'user';
}

/**
 * Returns whether a list of tag objects is written exactly like known tags. In most lists all are,
 * and comparing costs less than decoding.
 */
function areAsKnown(value: unknown, known: readonly CheckTag[]): boolean {
  if (!Array.isArray(value) || value.length !== known.length) return false;
  for (const [place, { name, source }] of known.entries()) {
    const entry: unknown = value[place];
    if (!isObject(entry) || entry.name !== name || sourceOf(entry.type) !== source) return false;
  }
  return true;
}

/** Counts the recipients of each kind. A kind without a list is omitted. */
function countRecipients(
  lists: {
    readonly [K in keyof RecipientCounts]: unknown;
  },
): RecipientCounts {
  return Object.fromEntries(
    recipientKinds.flatMap((kind) => {
      const list = lists[kind];
      return Array.isArray(list) ? [[kind, list.length]] : [];
    }),
  );
}

/** Decodes a check. Only the id is required (API 3.1, section 2.1; API 2.x, section 2.1). */
export function decodeCheck(
  entry: unknown,
  tagsOf: (id: number, value: unknown) => readonly CheckTag[] = (_id, value) =>
    decodeCheckTags(value),
): Mutable<Check> | undefined {
  const id = isObject(entry) ? readIdentifier(entry.id) : undefined;
  if (!isObject(entry) || id === undefined) return undefined;
  const hostname = visibleText(readText(entry.hostname));
  const status = knownStatuses.get(entry.status) ?? enumValueOf(listedStatuses, entry.status);
  const check: Mutable<Check> = {
    id,
    name: visibleText(readText(entry.name)) ?? hostname ?? `check ${id}`,
    type: typeOf(entry.type),
    status,
    tags: tagsOf(id, entry.tags),
  };
  // The fields are filled one by one. Building an object with all fields and copying the known ones
  // takes several times as long.
  if (hostname !== undefined) check.hostname = hostname;
  const severity =
    visibleText(readText(entry.severity)) ?? visibleText(readText(entry.severity_level));
  if (severity !== undefined) check.severity = severity;
  const ipv6 = readFlag(entry.ipv6);
  if (ipv6 !== undefined) check.ipv6 = ipv6;
  const resolution = minutes(readNumber(entry.resolution));
  if (resolution !== undefined) check.resolutionSeconds = resolution;
  const created = timestamp(readNumber(entry.created));
  if (created !== undefined) check.createdAtSeconds = created;
  const tested = readNumber(entry.lasttesttime);
  const testedAt = timestamp(tested);
  if (testedAt !== undefined) check.lastTestAtSeconds = testedAt;
  const errorAt = timestamp(readNumber(entry.lasterrortime));
  if (errorAt !== undefined) check.lastErrorAtSeconds = errorAt;
  const downStart = timestamp(readNumber(entry.lastdownstart));
  if (downStart !== undefined) check.lastDownStartAtSeconds = downStart;
  const downEnd = downEndOf(readNumber(entry.lastdownend), tested, status);
  if (downEnd !== undefined) check.lastDownEndAtSeconds = downEnd;
  const responseTime = milliseconds(readNumber(entry.lastresponsetime));
  if (responseTime !== undefined) check.lastResponseTimeSeconds = responseTime;
  return check;
}

/**
 * During an outage, the service may report the last test as the end of the downtime. The end is
 * then absent: always for a check that is down, and for an unconfirmed failure if it equals the
 * last test.
 */
function downEndOf(
  lastDownEnd: number | undefined,
  lastTest: number | undefined,
  status: ListedStatus,
): number | undefined {
  const end = timestamp(lastDownEnd);
  const isOngoing = status === 'down' || (lastTestFailed(status) && end === lastTest);
  return isOngoing ? undefined : end;
}

/** Looking up a word in its usual form is several times as fast as comparing it in any case. */
const knownStatuses: ReadonlyMap<unknown, ListedStatus> = new Map(
  listedStatuses.map((status) => [status, status]),
);
const knownTypes: ReadonlyMap<unknown, CheckType> = new Map(checkTypes.map((type) => [type, type]));

/** The list has a word; the detail has an object with the word as its only key. */
function typeWord(value: unknown): unknown {
  return isObject(value) ? Object.keys(value)[0] : value;
}

function typeOf(value: unknown): CheckType {
  const word = typeWord(value);
  return knownTypes.get(word) ?? enumValueOf(checkTypes, word);
}

const withCounts = z.object({ counts: z.object({ total: number }) });

/**
 * API 3.1, section 4.1. The total counts all checks of the account. The other counts of the
 * response are unreliable and not read. Fails with reason `shape`.
 */
function decodeCheckPage(response: unknown, operation: string): ResultPage {
  const entries = arrayIn(response, listField, operation);
  const total = integer(withCounts.safeParse(response).data?.counts.total);
  return { entries, ...present({ total: total === undefined || total < 0 ? undefined : total }) };
}

const listChecksOperation = 'list_checks';
const listField = 'checks';

/** The largest size of a result page (API 3.1, sections 4.1 and 8). */
const maxPageSize = 25_000;

/**
 * Reads the complete list of the account's checks (API 3.1, section 4.1). For version 2.0, pass a
 * `query` without `include_severity`, which it does not support.
 *
 * Rejects with an `ApiError`; reason `inconsistent` if the list changed between two result pages.
 */
export async function listChecks({
  reader,
  tags,
  signal,
  known,
  query = { include_tags: true, include_severity: true },
}: {
  readonly reader: Reader;
  readonly tags: SharedTags;
  readonly signal: AbortSignal;
  readonly known: KnownCheck | undefined;
  readonly query?: Readonly<Record<string, boolean>>;
}): Promise<Listing<Check>> {
  // Equal tags must be the same object, because later stages compare tags by identity.
  const tagsOf = (id: number, value: unknown) => {
    const before = known?.(id)?.tags;
    if (before !== undefined && areAsKnown(value, before)) return before;
    const decoded = decodeCheckTags(value);
    return before !== undefined && plainEqual(decoded, before) ? before : tags.of(decoded);
  };
  const unknownTypes = new Map<string, number>();
  const withMoreTags = new Set<number>();
  const decode = (entry: unknown) => {
    const check = decodeCheck(entry, tagsOf);
    if (check?.type === 'unknown' && isObject(entry)) {
      const word = typeWord(entry.type);
      if (typeof word === 'string' && plainWord.test(word)) unknownTypes.set(word, check.id);
    }
    if (check !== undefined && hasMoreTags(entry)) withMoreTags.add(check.id);
    return check;
  };
  const form = { field: listField, decode, unknownWord: unknownStatus, ...byId };
  const pageIn = (response: unknown) => decodeCheckPage(response, listChecksOperation);
  const request = { operation: listChecksOperation, path: 'checks', query, signal };
  const listing = await readList({ ...request, reader, limit: maxPageSize, form, pageIn });
  return {
    ...listing,
    ...(unknownTypes.size > 0 && { unknownTypes }),
    ...(withMoreTags.size > 0 && { withMoreTags }),
  };
}

const secondsPerDay = 86_400;

/** API 3.1, section 2.1; API 2.x, section 2.1. */
const wireCheckDetail = z.object({
  type: z.unknown().optional(),
  responsetime_threshold: number,
  userids: z.unknown().optional(),
  teams: z.unknown().optional(),
  integrationids: z.unknown().optional(),
  contactids: z.unknown().optional(),
});

/** The settings under the only key of `type`. */
const wireTypeSettings = z.object({
  verify_certificate: flag,
  ssl_down_days_before: number,
});

/** Decodes the settings of a check. Returns undefined if the entry has no valid id. */
function decodeAlertSettings(entry: unknown): CheckAlertSettings | undefined {
  const wire = wireCheckDetail.safeParse(entry).data;
  if (decodeCheck(entry) === undefined || wire === undefined) return undefined;
  const settings = settingsOf(wire.type);
  const isVerified = booleanOf(settings?.verify_certificate) !== false;
  const warningDays = isVerified ? seconds(settings?.ssl_down_days_before) : undefined;
  return present({
    responseTimeThresholdSeconds: milliseconds(wire.responsetime_threshold),
    certificateWarningSeconds: warningDays === undefined ? undefined : warningDays * secondsPerDay,
    recipients: countRecipients({
      user: wire.userids,
      team: wire.teams,
      integration: wire.integrationids,
      contact: wire.contactids,
    }),
  });
}

function settingsOf(type: unknown): z.infer<typeof wireTypeSettings> | undefined {
  return isObject(type) ? wireTypeSettings.safeParse(Object.values(type)[0]).data : undefined;
}

/** One check with its settings (API 3.1, section 4.1). Version 2.0 has no `include_teams`. */
export async function getCheck(
  reader: Reader,
  { checkId }: { readonly checkId: number },
  signal: AbortSignal,
  query: Readonly<Record<string, boolean>> = { include_teams: true },
): Promise<CheckAlertSettings> {
  const operation = 'get_check';
  const response = await reader.get({ operation, path: `checks/${checkId}`, query, signal });
  const check = objectIn(response, 'check', operation);
  return requireDecoded(decodeAlertSettings(check), 'check', operation);
}
