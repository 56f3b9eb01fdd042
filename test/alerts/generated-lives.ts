import { ofAccount, ofCheck, series } from './alert-case.ts';
import { ExporterModel, type Page } from './exporter-model.ts';
import { isIn, type Life } from './generated-life.ts';
import { notation } from './notation.ts';
import type { Input, RuleCase } from './promtool-rules.ts';

const day = 86_400;
const identity = { ...ofCheck, hostname: 'www.example.com', importance: 'high' };

/** The page of one scrape; undefined if it failed. */
interface Scrape {
  readonly second: number;
  readonly page: Page | undefined;
}

interface Evaluation {
  readonly second: number;
  readonly last: Scrape | undefined;
  /** The labels under which UptimeCheckDown must fire. */
  readonly firing: ReadonlySet<string>;
}

export interface LivedLife {
  readonly life: Life;
  readonly evaluations: readonly Evaluation[];
  readonly rules: RuleCase;
}

/** Runs the life. Returns the scrapes, and the alerts that must fire at each evaluation. */
export function live(life: Life): LivedLife {
  const scrapes = scrapesOf(life);
  const evaluations = evaluationsOf(life, scrapes);
  return {
    life,
    evaluations,
    rules: {
      name: `life ${life.seed}`,
      input: inputOf(life, scrapes),
      pace: { step: 1, evaluation: life.evaluation },
      expressions: [
        ...evaluations.map(({ second, firing }) => ({
          expr: 'count by (name, team) (ALERTS{alertname="UptimeCheckDown", alertstate="firing"})',
          at: `${second}s`,
          samples: [...firing].map((labels) => {
            const [name, team] = labels.split('/');
            return { labels: `{name="${name}", team="${team}"}`, value: 1 };
          }),
        })),
        ...wasDownExpectation(evaluations),
      ],
    },
  };
}

function scrapesOf(life: Life): readonly Scrape[] {
  const model = new ExporterModel(life);
  const scrapes: Scrape[] = [];
  for (let second = 0; second < life.seconds; second++) {
    model.tick(second);
    const page = model.page(second);
    if (second % life.scrape !== life.phase % life.scrape) continue;
    const isLost = life.failedScrapes.some((one) => second >= one && second < one + life.scrape);
    const isThere = !isIn(life.away, second) && !isLost;
    scrapes.push({
      second,
      page: isThere ? page : undefined,
    });
  }
  return scrapes;
}

function evaluationsOf(life: Life, scrapes: readonly Scrape[]): readonly Evaluation[] {
  const evaluations: Evaluation[] = [];
  let seenAt: number | undefined;
  for (let second = 0; second < life.seconds; second += life.evaluation) {
    const done = scrapes.filter((one) => one.second <= second);
    const last = done.at(-1);
    seenAt = done.findLast(({ page }) => page?.isKnown)?.second;
    const page = last?.page;
    let firing: ReadonlySet<string> = new Set();
    if (page?.isKnown) firing = shownBy(page);
    // Alerts that fired when the data were last seen continue unchanged, for at most a day.
    else if (seenAt !== undefined && second - seenAt < day)
      firing = evaluations.at(-1)?.firing ?? firing;
    evaluations.push({ second, last, firing });
  }
  return evaluations;
}

function shownBy({ open, flapping, labels }: Page): ReadonlySet<string> {
  const down = [...open].filter(([, value]) => value === 1).map(([one]) => one);
  if (down.length > 0) return new Set(down);
  return new Set(flapping === 1 && labels !== undefined ? [labels] : []);
}

/** Every value of every series, and a stale marker where it disappears. */
function inputOf(life: Life, scrapes: readonly Scrape[]): Input {
  const values = new Map<string, Map<number, number | undefined>>();
  let before: ReadonlySet<string> = new Set();
  for (const scrape of scrapes) {
    const now = samplesOf(scrape);
    const put = (name: string, value: number | undefined) => {
      const list = values.get(name) ?? new Map<number, number | undefined>();
      values.set(name, list.set(scrape.second, value));
    };
    for (const [name, value] of now) put(name, value);
    for (const name of before) if (!now.has(name)) put(name, undefined);
    before = new Set(now.keys());
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, notation(list, life.seconds)]),
  );
}

function samplesOf({ page }: Scrape): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  if (page === undefined) return samples;
  samples.set(series('uptime_up', {}, ofAccount), page.isKnown ? 1 : 0);
  if (!page.isKnown) return samples;
  samples.set(series('uptime_outages_open', { kind: 'check' }, ofAccount), page.groupOpen);
  const put = (name: string, labels: string, value: number | undefined, more = {}) => {
    const [checkName = '', team = ''] = labels.split('/');
    if (value !== undefined)
      samples.set(series(name, { ...more, name: checkName, team }, ofCheck), value);
  };
  const own = { hostname: identity.hostname, importance: identity.importance };
  for (const [labels, value] of page.open) put('uptime_check_outage_open', labels, value, own);
  if (page.labels !== undefined) {
    put('uptime_check_outage_start_timestamp_seconds', page.labels, page.start);
    put('uptime_check_flapping', page.labels, page.flapping, own);
    put('uptime_check_last_outage_start_timestamp_seconds', page.labels, page.lastStart);
  }
  return samples;
}

/**
 * Checked at the end, long enough after the last outage to know whether it was reported while open.
 */
function wasDownExpectation(evaluations: readonly Evaluation[]) {
  const [waits, keeps] = [300, 3600];
  const end = evaluations.at(-1)?.second ?? 0;
  let firedAt = Number.NEGATIVE_INFINITY;
  const untold = evaluations.map(({ second, last, firing }) => {
    const start = last?.page?.isKnown ? last.page.lastStart : undefined;
    const isUntold = start !== undefined && last?.page?.labels !== undefined && firedAt < start;
    if (firing.size > 0) firedAt = second;
    return { second, isUntold };
  });
  const lately = (seconds: number) => untold.filter(({ second }) => second >= end - seconds);
  const margin = 2 * (evaluations[1]?.second ?? 0);
  const isToFire = lately(waits + margin).every(({ isUntold }) => isUntold);
  const isQuiet = !lately(waits + keeps + margin).some(({ isUntold }) => isUntold);
  if (!isToFire && !isQuiet) return [];
  return [
    {
      // After a rename, an alert also fires under the previous name for an hour.
      expr: 'count(count by (check_id) (ALERTS{alertname="UptimeCheckWasDown", alertstate="firing"}))',
      at: `${end}s`,
      samples: isToFire ? [{ labels: '{}', value: 1 }] : [],
    },
  ];
}

/** The laws about alerts and about the truth. Returns the violations as text. */
export function brokenLaws({ life, evaluations }: LivedLife): readonly string[] {
  const broken: string[] = [];
  let before: Evaluation | undefined;
  /** The time until a test, a list and a scrape have shown an event. */
  const late = life.resolution + 60 + life.scrape;
  const isDownThroughout = (from: number, to: number) =>
    life.outages.some((outage) => outage.from <= from - late && to < outage.to) &&
    ![...life.maintenance, ...life.pauses].some((one) => one.from <= to && one.to > from - late) &&
    to < life.deletedAt;
  const wasDownAt = (from: number, to: number) =>
    life.outages.some((outage) => outage.from <= to && outage.to > from);
  for (const now of evaluations) {
    if (now.firing.size > 1) broken.push(`${now.second}: two alerts for one check`);
    const [was, is] = [(before?.firing.size ?? 0) > 0, now.firing.size > 0];
    if (was && !is && isDownThroughout(before?.second ?? 0, now.second))
      broken.push(`${now.second}: resolved while it is down`);
    // While the state could not be observed, the last known state counts.
    const unseen = [
      ...life.away,
      ...life.blind,
      ...life.failedScrapes.map((from) => ({ from, to: from + life.scrape })),
    ];
    const seenSince = now.second - late - life.evaluation - 60;
    const couldLook = !unseen.some((one) => one.from <= now.second && one.to > seenSince);
    if (!was && is && couldLook && !wasDownAt(seenSince, now.second))
      broken.push(`${now.second}: fires for what is over`);
    before = now;
  }
  const messages = evaluations.filter(
    ({ firing }, at) => firing.size > 0 !== (evaluations[at - 1]?.firing.size ?? 0) > 0,
  ).length;
  const interruptions = life.maintenance.length + life.pauses.length;
  const most = 2 * (life.outages.length * (1 + interruptions));
  if (messages > most) broken.push(`${messages} messages about ${life.outages.length} outages`);
  return broken;
}
