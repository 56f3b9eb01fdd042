import type { RequestHandler } from 'express';
import type { TimeRange } from '../domain/interval.ts';
import { membersByOccurrence, type OccurrenceMembers } from '../domain/maintenance.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { startSlices, yieldToEventLoop } from '../lib/event-loop.ts';
import { humanizeDuration } from '../lib/format-duration.ts';
import type { ObjectiveSubject } from '../slo/objectives.ts';
import { outagesWithin } from '../slo/reported-states.ts';
import { itemFilterOf, QueryError, queryOf, respondWithJson, timeParameter } from './item-query.ts';
import type { AccountStatus, StatusSource } from './ports.ts';
import { serviceNow } from './views/items.ts';

const parameters = ['from', 'to', 'account', 'tag'];
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

/**
 * Returns the requested period; by default the last 24 hours by the service's clock. Throws a
 * `QueryError`.
 */
function periodOf(query: URLSearchParams, nowSeconds: number): TimeRange {
  const toSeconds = timeParameter(query, 'to') ?? nowSeconds;
  const fromSeconds = timeParameter(query, 'from') ?? toSeconds - defaultPeriodSeconds;
  if (fromSeconds <= toSeconds) return { fromSeconds, toSeconds };
  throw new QueryError('"from" must not be after "to"');
}

type ItemKind = 'check' | 'transaction';

function* outageAnnotations(
  { snapshot, states, past }: AccountStatus,
  kind: ItemKind,
  item: ObjectiveSubject,
  period: TimeRange,
  nowSeconds: number,
): Generator<Annotation> {
  const { id, name, tags } = item;
  const known = kind === 'check' ? states?.ofCheck(id) : states?.ofTransaction(id);
  const outages = known === undefined ? [] : outagesWithin(known, period, nowSeconds);
  if (outages.length === 0) return;
  const told = kind === 'check' ? past?.ofCheck(id) : past?.ofTransaction(id);
  for (const { fromSeconds, toSeconds, isExact, isOngoing, endsLater } of outages) {
    const least = isExact && !endsLater ? '' : 'at least ';
    const lasted = `Down for ${least}${humanizeDuration(toSeconds - fromSeconds)}`;
    const outage = told?.outages.find((one) => one.fromSeconds === fromSeconds);
    const { causes = [], analysisId } = outage ?? {};
    yield {
      time: fromSeconds * 1000,
      timeEnd: toSeconds * 1000,
      title: `${name} down`,
      text: [isOngoing ? `${lasted} so far` : lasted, ...causes].join('. '),
      tags: ['outage', ...tags.map((tag) => tag.name)],
      kind: 'outage',
      account: snapshot.account,
      beginning: isExact ? 'exact' : 'before',
      ...(kind === 'check' ? { checkId: id } : { transactionId: id }),
      ...(analysisId !== undefined && { analysisId }),
      ...(isOngoing && { ongoing: true }),
      ...(endsLater && { ending: 'after' }),
    };
  }
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

/** Returns maintenance that overlaps the period and has a member among the items. */
function maintenanceAnnotations(
  status: AccountStatus,
  items: { readonly [K in ItemKind]: ReadonlyMap<number, ObjectiveSubject> },
  isFiltered: boolean,
  period: TimeRange,
): Annotation[] {
  return occurrencesOf(status).flatMap((occurrence): Annotation[] => {
    const { fromSeconds, toSeconds, description, checkIds, transactionIds } = occurrence;
    if (toSeconds <= period.fromSeconds || fromSeconds >= period.toSeconds) return [];
    const members = [
      ...checkIds.flatMap((id) => items.check.get(id) ?? []),
      ...transactionIds.flatMap((id) => items.transaction.get(id) ?? []),
    ];
    if (isFiltered && members.length === 0) return [];
    const names = members.slice(0, maxNames).map(({ name }) => name);
    if (members.length > maxNames) names.push(`${members.length - maxNames} more`);
    return [
      {
        time: fromSeconds * 1000,
        timeEnd: toSeconds * 1000,
        title: `Maintenance: ${description ?? occurrence.maintenanceId}`,
        text: names.join(', '),
        tags: ['maintenance'],
        kind: 'maintenance',
        account: status.snapshot.account,
      },
    ];
  });
}

interface OutagesJsonOptions {
  readonly status: StatusSource;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Responds with outages and maintenance between two times, oldest first. Never calls the API. */
export function outagesJsonHandler({ status, clock }: OutagesJsonOptions): RequestHandler {
  return ({ url }, response) =>
    respondWithJson(response, async () => {
      const query = queryOf(url, parameters);
      const nowSeconds = unixSeconds(clock);
      const { accounts, hasTag } = itemFilterOf(query, status);
      const yieldIfDue = startSlices({ clock, yieldToEventLoop });
      const annotations: Annotation[] = [];
      for (const account of accounts) {
        const now = serviceNow(account, nowSeconds);
        const period = periodOf(query, now);
        const { checks = [], transactions = [] } = account.snapshot;
        const items = {
          check: new Map<number, ObjectiveSubject>(),
          transaction: new Map<number, ObjectiveSubject>(),
        };
        const ofKinds = [['check', checks] as const, ['transaction', transactions] as const];
        for (const [kind, listed] of ofKinds) {
          for (const [place, item] of listed.entries()) {
            if (place % itemsPerStep === 0) await yieldIfDue();
            if (!hasTag(item.tags)) continue;
            items[kind].set(item.id, item);
            annotations.push(...outageAnnotations(account, kind, item, period, now));
          }
        }
        annotations.push(...maintenanceAnnotations(account, items, query.has('tag'), period));
      }
      annotations.sort((a, b) => a.time - b.time);
      response.set('X-Total-Count', String(annotations.length));
      return JSON.stringify(annotations.slice(-maxAnnotations));
    });
}
