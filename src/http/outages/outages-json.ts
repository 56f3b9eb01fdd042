import type { RequestHandler } from 'express';
import type { TimeRange } from '../../domain/interval.ts';
import { membersByOccurrence, type OccurrenceMembers } from '../../domain/maintenance.ts';
import { unixSeconds } from '../../lib/clock.ts';
import { startSlices, yieldToEventLoop } from '../../lib/event-loop.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { present } from '../../lib/present.ts';
import { itemsOfAccount, type ShownKind, serviceNow } from '../common/items.ts';
import { atOneMoment } from '../common/one-moment.ts';
import { type ItemOutage, outageQueryOf, outagesOfItem, unreadIn } from '../common/outage-list.ts';
import { respondWithJson } from '../common/query-errors.ts';
import type { StatusAndClock } from '../common/site.ts';
import { nameUnreadable } from '../common/unreadable-header.ts';
import type { AccountStatus } from '../ports.ts';

const defaultPeriodSeconds = 86_400;
/** The maximum number of annotations, which is more than a graph can show. The latest remain. */
const maxAnnotations = 5_000;
/** The maximum number of names in an annotation: a tooltip cannot show more. */
const maxNames = 10;
const itemsPerStep = 256;

/** An annotation for Grafana's JSON data sources; times are UNIX milliseconds. */
interface Annotation {
  readonly time: number;
  readonly timeEnd: number;
  readonly title: string;
  readonly text: string;
  /** The kind, then the tags of the check or transaction. */
  readonly tags: readonly string[];
  readonly kind: 'outage' | 'maintenance';
  readonly account: string;
  /** The check or transaction that was down. */
  readonly checkId?: number;
  readonly transactionId?: number;
  /** For an outage: it began exactly at `time`, or at an unknown time before. */
  readonly beginning?: 'exact' | 'before';
  /** The root cause analysis of an outage; absent until it is read. */
  readonly analysisId?: number;
  /** The outage is ongoing, and known up to `timeEnd`. */
  readonly ongoing?: true;
  /** The outage ended after `timeEnd`. */
  readonly ending?: 'after';
}

function outageAnnotation({ item, outage, untilSeconds }: ItemOutage): Annotation {
  const { kind, id, name, tags, account } = item;
  const { fromSeconds, toSeconds, beganBefore, endsLater, causes, analysisId } = outage;
  const isOngoing = toSeconds === undefined;
  const least = beganBefore || endsLater ? 'at least ' : '';
  const lasted = `Down for ${least}${humanizeDuration(untilSeconds - fromSeconds)}`;
  return {
    time: fromSeconds * 1000,
    timeEnd: untilSeconds * 1000,
    title: `${name} down`,
    text: [isOngoing ? `${lasted} so far` : lasted, ...causes].join('. '),
    tags: ['outage', ...tags.map((tag) => tag.name)],
    kind: 'outage',
    account,
    beginning: beganBefore ? 'before' : 'exact',
    [`${kind}Id`]: id,
    ...present({ analysisId }),
    ...(isOngoing && { ongoing: true }),
    ...(endsLater && { ending: 'after' }),
  };
}

interface Occurrence extends OccurrenceMembers {
  readonly description: string | undefined;
}

function occurrencesOf({ states }: AccountStatus): Occurrence[] {
  const maintenance = states?.maintenance;
  if (maintenance === undefined) return [];
  const texts = new Map(maintenance.windows.map(({ id, description }) => [id, description]));
  return membersByOccurrence(maintenance).map((occurrence) => ({
    ...occurrence,
    description: texts.get(occurrence.maintenanceId),
  }));
}

/** Returns maintenance that overlaps the period and has a member among the names. */
function maintenanceAnnotations(
  status: AccountStatus,
  names: { readonly [K in ShownKind]: ReadonlyMap<number, string> },
  isFiltered: boolean,
  period: TimeRange,
): Annotation[] {
  return occurrencesOf(status).flatMap((occurrence): Annotation[] => {
    const { fromSeconds, toSeconds, description, checkIds, transactionIds } = occurrence;
    if (toSeconds <= period.fromSeconds || fromSeconds >= period.toSeconds) return [];
    const members = [
      ...checkIds.flatMap((id) => names.check.get(id) ?? []),
      ...transactionIds.flatMap((id) => names.transaction.get(id) ?? []),
    ];
    if (isFiltered && members.length === 0) return [];
    const shown = members.slice(0, maxNames);
    if (members.length > maxNames) shown.push(`${members.length - maxNames} more`);
    return [
      {
        time: fromSeconds * 1000,
        timeEnd: toSeconds * 1000,
        title: `Maintenance: ${description ?? occurrence.maintenanceId}`,
        text: shown.join(', '),
        tags: ['maintenance'],
        kind: 'maintenance',
        account: status.snapshot.account,
      },
    ];
  });
}

/** Responds with outages and maintenance between two times, oldest first. Never calls the API. */
export function outagesJsonHandler({ clock, ...options }: StatusAndClock): RequestHandler {
  return ({ url }, response) =>
    respondWithJson(response, async () => {
      const status = atOneMoment(options.status);
      const { query, asked } = outageQueryOf(url, status, {
        defaultSeconds: defaultPeriodSeconds,
      });
      const isFiltered = ['group', 'tag', 'check'].some((name) => query.has(name));
      const nowSeconds = unixSeconds(clock);
      const yieldIfDue = startSlices({ clock, yieldToEventLoop });
      const annotations: Annotation[] = [];
      for (const account of asked.accounts) {
        const now = serviceNow(account, nowSeconds);
        const period = asked.periodAt(now);
        const names = { check: new Map<number, string>(), transaction: new Map<number, string>() };
        let place = 0;
        for (const item of itemsOfAccount(account)) {
          if (place++ % itemsPerStep === 0) await yieldIfDue();
          if (!asked.matches(item)) continue;
          names[item.kind].set(item.id, item.name);
          annotations.push(...outagesOfItem(item, period, now).map(outageAnnotation));
        }
        annotations.push(...maintenanceAnnotations(account, names, isFiltered, period));
      }
      annotations.sort((a, b) => a.time - b.time);
      nameUnreadable(response, unreadIn(status, asked));
      response.set('X-Total-Count', String(annotations.length));
      return JSON.stringify(annotations.slice(-maxAnnotations));
    });
}
