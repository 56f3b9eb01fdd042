import { request } from 'undici';
import { describeStatus } from '../../sandbox/src/operations/reports/result-entry.ts';
import type { RunningSandbox } from '../../sandbox/src/running-sandbox.ts';
import type { Outage } from '../../sandbox/src/simulation/history.ts';
import type { Samples } from './counter-watch.ts';
import type { RestartableExporter } from './restartable-exporter.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const kept = 35 * day;

/** The number of checks that were down at some time before first sight. They are up otherwise. */
export interface FirstHoursAccount {
  readonly checks: number;
  /** Down now, for minutes to weeks. */
  readonly open: number;
  /** Down for a while within the last day. */
  readonly recent: number;
  /** Down for a while within 30 days. */
  readonly old: number;
}

const resolutions = [1, 5, 1, 15, 60];
/** How long the open outages have lasted. */
const openFor = [12 * minute, 3 * hour, 40 * minute, 6 * day, 26 * hour, 40 * day];

/** Plants the account's past, and an outage that begins ten minutes after first sight. */
export function plantPast({ sandbox, now }: RestartableExporter, account: FirstHoursAccount): void {
  const { world } = sandbox;
  const { open, recent, old } = account;
  // A check that is down in maintenance has no open outage.
  for (const { id } of world.maintenance.windows.all) world.maintenance.remove(id);
  for (const [place, check] of world.checks.entries()) {
    const { id } = check;
    const minutes = resolutions[place % resolutions.length] ?? 1;
    const resolutionSeconds = minutes * minute;
    const created = now - 60 * day;
    const run = { from: created, resolutionSeconds, phaseSeconds: (7 * place) % resolutionSeconds };
    world.registry.put({ ...check, created, resolutionMinutes: minutes, runs: [run] });
    world.plant({ checkId: id, status: 'up', from: created, to: now + day });
    const down = (from: number, to: number) =>
      world.plant({ checkId: id, status: 'down', from, to });
    const lasts = 4 * resolutionSeconds;
    if (place < open) {
      // One check that was down before, and one that recovers within the hour.
      if (place % 2 === 0) down(now - 9 * day, now - 9 * day + lasts);
      const since = now - Math.max(lasts, openFor[place % openFor.length] ?? 0);
      down(since, place % 4 === 1 ? now + 50 * minute : now + day);
    } else if (place < open + recent) {
      down(now - (place % 20) * hour - lasts - 5 * minute, now - (place % 20) * hour - 5 * minute);
    } else if (place < open + recent + old) {
      const ago = (2 + (place % 27)) * day;
      down(now - ago, now - ago + lasts);
    } else if (place === open + recent + old) {
      down(now + 10 * minute, now + 25 * minute);
    }
  }
}

/** One outage in `/outages.json`. */
export interface ReportedOutage {
  readonly checkId: number;
  readonly time: number;
  readonly timeEnd: number;
  readonly text: string;
  readonly beginning: 'exact' | 'before';
  readonly analysisId?: number;
  readonly ongoing?: true;
  readonly ending?: 'after';
}

/** All that the exporter reports at one moment. */
export interface Reported {
  readonly samples: Samples;
  readonly outages: readonly ReportedOutage[];
  readonly account: ReportedAccount;
  readonly html: string;
}

interface ReportedAccount {
  readonly checks: {
    readonly by_status: { readonly down: number };
    readonly down: readonly { id: number; began?: number; began_before?: number }[];
    readonly last_24_hours: readonly {
      readonly id: number;
      readonly spans: readonly { state: string; from: number; to: number }[];
    }[];
  };
  readonly check_list: { readonly age_seconds: number };
  readonly first_sight?: {
    readonly pasts_left: number;
    readonly done?: number;
    readonly done_at_latest?: number;
  };
  readonly shortfall?: { readonly level: string };
}

export async function reportedBy(exporter: RestartableExporter): Promise<Reported> {
  const get = async (path: string) => (await request(`${exporter.url}${path}`)).body.text();
  const all = JSON.parse(
    await get(`/outages.json?from=${exporter.now - kept}`),
  ) as ReportedOutage[];
  const outages = all.filter(({ checkId }) => checkId !== undefined);
  const { accounts } = JSON.parse(await get('/status.json')) as { accounts: ReportedAccount[] };
  const [account] = accounts;
  if (account === undefined) throw new Error('there is no account');
  return { samples: await exporter.scrape(), outages, account, html: await get('/') };
}

/**
 * The outages of a check in the last 35 days that the service has confirmed by a time, oldest
 * first.
 */
export function trueOutages({ world, history }: RunningSandbox, id: number, at: number): Outage[] {
  const check = world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  return [...history.outages(check, at - kept, at)].reverse();
}

/** Compares the report with the sandbox. Returns a line for each wrong statement. */
export function untruths(exporter: RestartableExporter, reported: Reported): string[] {
  const { sandbox, now } = exporter;
  const wrong: string[] = [];
  for (const outage of reported.outages) {
    const problem = problemOf(outage, trueOutages(sandbox, outage.checkId, now), now);
    if (problem !== undefined) wrong.push(`outage of ${outage.checkId}: ${problem}`);
  }
  for (const [sample, value] of reported.samples) {
    const id = /^uptime_check_outage_start_timestamp_seconds\{.*check_id="(\d+)"/.exec(sample)?.[1];
    if (id === undefined) continue;
    const starts = trueOutages(sandbox, Number(id), now).map(({ start }) => start);
    if (!starts.includes(value)) wrong.push(`${sample} is ${value}, not one of ${starts.join()}`);
  }
  for (const { id, began, began_before: before } of reported.account.checks.down) {
    const last = trueOutages(sandbox, id, now).at(-1);
    if (last === undefined) wrong.push(`check ${id} is reported to be down`);
    else if (began !== undefined && began !== last.start) {
      wrong.push(`check ${id} is down since ${last.start}, not ${began}`);
    } else if (before !== undefined && before < last.start) {
      wrong.push(`check ${id} is down since ${last.start}, not before ${before}`);
    }
  }
  for (const { id, spans } of reported.account.checks.last_24_hours) {
    const check = sandbox.world.check(id);
    if (check === undefined) continue;
    for (const { state, from, to } of spans) {
      const truth = sandbox.history.segments(check, from, to, now);
      const seconds = truth
        .filter(({ status }) => status === state)
        .reduce((sum, segment) => sum + segment.to - segment.from, 0);
      if (seconds !== to - from)
        wrong.push(`check ${id} was ${state} for ${seconds} s of ${to - from}`);
    }
  }
  wrong.push(...wronglyOpen(exporter, reported), ...wronglyShown(exporter, reported));
  const isRead = reported.account.first_sight === undefined;
  if (!isRead && reported.html.includes('No known outages')) wrong.push('no known outages');
  return wrong;
}

/**
 * Compares the number of open outages, and which checks have one. The last list may not have what
 * happened since the oldest state that it can show.
 */
function wronglyOpen({ sandbox, now }: RestartableExporter, { samples, html, account }: Reported) {
  const listedAt = Math.floor(now - account.check_list.age_seconds);
  const oldestAt = listedAt - sandbox.world.wire.listLagSeconds.max;
  const isOpen = (id: number, at: number) => {
    const last = trueOutages(sandbox, id, at).at(-1);
    return last !== undefined && last.end === undefined;
  };
  const open = new Set<number>();
  const changed = new Set<number>();
  for (const { id } of sandbox.world.checks) {
    if (isOpen(id, now) !== isOpen(id, oldestAt)) changed.add(id);
    else if (isOpen(id, now)) open.add(id);
  }
  const counts = new Map<string, number>([
    ['/status.json', account.checks.by_status.down],
    ['the heading', Number(/<h1[^>]*>([\d,]+) of/.exec(html)?.[1]?.replaceAll(',', '') ?? 0)],
  ]);
  const flagged: number[] = [];
  for (const [sample, value] of samples) {
    if (/^uptime_outages_open\{.*kind="check"/.test(sample)) counts.set(sample, value);
    const id = /^uptime_check_outage_open\{.*check_id="(\d+)"/.exec(sample)?.[1];
    if (id !== undefined && value === 1) flagged.push(Number(id));
  }
  const most = open.size + changed.size;
  const wrong = [...counts].flatMap(([where, count]) =>
    count >= open.size && count <= most
      ? []
      : [`${where} has ${count} of ${open.size} to ${most} open outages`],
  );
  if (counts.size < 3) wrong.push('uptime_outages_open is missing');
  const others = [...open, ...flagged].filter(
    (id) => !changed.has(id) && !(open.has(id) && flagged.includes(id)),
  );
  return [...wrong, ...others.map((id) => `uptime_check_outage_open of ${id} is wrong`)];
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, min: minute, h: hour, d: day };

/** Reads `1 h 12 min`. Also returns by how much the text may be rounded down. */
function lengthIn(words: string): { readonly seconds: number; readonly cut: number } {
  const parts = [...words.matchAll(/(\d+) (s|min|h|d)\b/g)].map(([, count, unit = 's']) => ({
    count: Number(count),
    unit: unitSeconds[unit] ?? 1,
  }));
  const seconds = parts.reduce((sum, { count, unit }) => sum + count * unit, 0);
  return { seconds, cut: parts.at(-1)?.unit ?? 0 };
}

/** Compares the starts and durations in the tables of the view. */
function wronglyShown({ sandbox, now }: RestartableExporter, { html }: Reported): string[] {
  return [...html.matchAll(/<tr>(?:(?!<\/tr>).)*<\/tr>/gs)].flatMap(([row]) => {
    const [head = '', ...cells] = row.split(/<td(?: [^>]*)?>/);
    const id = /checks\/(\d+)"/.exec(head)?.[1];
    const [time] = /<time datetime="([^"]+)"/.exec(row) ?? [];
    const since = Date.parse(/<time datetime="([^"]+)"/.exec(row)?.[1] ?? '') / 1000;
    if (id === undefined || time === undefined || row.includes('until <time')) return [];
    const outage = trueOutages(sandbox, Number(id), now).findLast(({ start }) => start <= since);
    if (outage === undefined) return [`the view has an outage of ${id} that is none`];
    if (row.includes('before <time')) return [];
    if (outage.start !== since) return [`the view shows ${id} from ${since}, not ${outage.start}`];
    const isLast = !cells[0]?.includes('badge') && row.includes(' ago');
    const isAtLeast = cells[1]?.startsWith('more than') === true;
    const { seconds, cut } = lengthIn(cells[1]?.split('<')[0] ?? '');
    const length = Math.min(now, outage.end ?? now) - outage.start;
    const isTrue = seconds <= length && (isAtLeast || length < seconds + cut);
    return isTrue
      ? []
      : [`${isLast ? 'last' : 'open'} outage of ${id} lasted ${length}, not ${seconds}`];
  });
}

function problemOf(
  reported: ReportedOutage,
  truth: readonly Outage[],
  now: number,
): string | undefined {
  const [from, to] = [reported.time / 1000, reported.timeEnd / 1000];
  const outage = truth.findLast(({ start }) => start <= from);
  if (outage === undefined) return `none began by ${from}`;
  const { start, end = Number.POSITIVE_INFINITY } = outage;
  if (reported.beginning === 'exact' && from !== start)
    return `it began at ${start}, not at ${from}`;
  if (reported.beginning === 'before' && from >= end)
    return `it was over at ${end}, before ${from}`;
  if (reported.ongoing) return end > now && to <= now ? undefined : `it was over at ${end}`;
  if (reported.ending === 'after')
    return to <= end ? undefined : `it was over at ${end}, before ${to}`;
  return to === end ? undefined : `it ended at ${end}, not at ${to}`;
}

/** Returns whether the outage names the latest analysis, and only causes the service can give. */
export function causesReported(
  { sandbox, now }: RestartableExporter,
  reported: ReportedOutage,
): boolean {
  const check = sandbox.world.check(reported.checkId);
  if (check === undefined) return false;
  const causes = reported.text.split('. ').slice(1);
  const possible = Array.from({ length: 8 }, (_, place) =>
    describeStatus(check.type, 'down', place / 8),
  ).map(({ statusdesc }) => statusdesc);
  const analysed = trueOutages(sandbox, reported.checkId, now).at(-1);
  const isAnalysed = reported.analysisId === Math.floor((analysed?.start ?? 0) / minute);
  return isAnalysed && causes.length > 0 && causes.every((cause) => possible.includes(cause));
}
