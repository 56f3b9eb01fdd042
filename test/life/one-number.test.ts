import { describe, expect, test } from 'vitest';
import { planReport } from '../../src/cli/plan-report.ts';
import { completeWindow } from '../../src/cli/plan-window.ts';
import { defaultSloPolicy, GroupPolicy } from '../../src/slo/groups.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { World } from './world.ts';

const hour = 3_600;
const day = 24 * hour;
const [shortLimit, longLimit] = [400, 288_000];

/** What the surfaces show of each quantity. */
class Shown {
  readonly #all = new Map<string, Map<string, unknown>>();

  add(quantity: string, surface: string, value: unknown): void {
    const known = this.#all.get(quantity) ?? new Map<string, unknown>();
    this.#all.set(quantity, known);
    known.set(surface, typeof value === 'number' ? Number(value.toPrecision(12)) : value);
  }

  /** The quantities that have not one number, and those that fewer than two surfaces show. */
  get wrong(): readonly string[] {
    return [...this.#all].flatMap(([quantity, values]) => {
      if (new Set(values.values()).size === 1 && values.size > 1) return [];
      const each = [...values].map(([surface, value]) => `${surface}: ${value}`);
      return [`${quantity}: ${each.join(', ')}`];
    });
  }

  get quantities(): number {
    return this.#all.size;
  }
}

/** Percent as people read it: rounded down to so many digits. */
function percent(share: number, digits = 2): string {
  const scale = 10 ** (digits + 2);
  return `${Number((Math.floor(share * scale + 1e-6) / 10 ** digits).toFixed(digits))} %`;
}

const left = (ratio: number | undefined) => {
  if (ratio === undefined) return '–';
  return ratio < 0 ? 'overspent' : percent(ratio, 0);
};
const grouped = (value: number) => value.toLocaleString('en');

const textOf = (html: string) =>
  html
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&quot;/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The cells of the rows of a table, by the name of the row. */
function tableOf(html: string, label: string): ReadonlyMap<string, readonly string[]> {
  const [, body = ''] = new RegExp(`aria-label="${label}">(.*?)</table>`, 's').exec(html) ?? [];
  const rows = body.split('<tr>').slice(2);
  return new Map(
    rows.map((row) => {
      const [, name = ''] = /<bdi>(.*?)<\/bdi>/s.exec(row) ?? [];
      return [
        textOf(name),
        row
          .split(/<t[dh]\b/)
          .slice(1)
          .map((cell) => textOf(`<td${cell}`)),
      ];
    }),
  );
}

function rowsIn(html: string, label: string): number {
  const table = html.split(`aria-label="${label}"`)[1]?.split('</table>')[0] ?? '';
  return Math.max(0, table.split('<tr>').length - 2);
}

/** The figures of a page, by their names. */
function figuresOf(html: string): ReadonlyMap<string, string> {
  const figures = html.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/gs);
  return new Map([...figures].map(([, name = '', value = '']) => [name, textOf(value)]));
}

function csvOf(text: string): readonly Record<string, string>[] {
  const [head = '', ...lines] = text.replace('\ufeff', '').trim().split('\r\n');
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    );
  const names = cells(head);
  return lines.map((line) =>
    Object.fromEntries(cells(line).map((cell, place) => [names[place] ?? '', cell])),
  );
}

const publicPage = { name: 'shop', title: 'The shop', account: 'shop', group: 'prod' };

/** A world with outages of each age, in maintenance and outside, a pause, and one outage that goes on. */
async function worldOfFailures(): Promise<World> {
  const fits = (pattern: string, text: string) => pattern === '*' || pattern === text;
  const slo = { ...defaultSloPolicy(), groups: new GroupPolicy({ fits, fromTags: ['*'] }) };
  const limits = { shortLimit, longLimit };
  const world = World.inMemory({ checks: 6, transactions: 2, slo, pages: [publicPage], ...limits });
  const { sandbox, now } = world;
  const { maintenance, checks } = sandbox.world;
  for (const window of maintenance.windows.all) maintenance.remove(window.id);
  for (const [place, { id: checkId }] of checks.entries()) {
    sandbox.world.plant({ checkId, status: 'up', from: now - 40 * day, to: now + 2 * day });
    for (const ago of [20 * day, 5 * day, 3 * hour]) {
      const from = now - ago - place * 1_000;
      const to = from + 300 * (place + 1);
      sandbox.world.plant({ checkId, status: 'down', from, to });
    }
    const unknown = { from: now - 8 * hour, to: now - 7 * hour };
    sandbox.world.plant({ checkId, status: 'unknown', ...unknown });
  }
  const [first = 0, second = 0] = checks.map(({ id }) => id);
  const inOutage = { from: now - 3 * hour - 100, to: now - 3 * hour + 200 };
  planMaintenance(sandbox.world, { ...inOutage, uptimeids: [first] });
  const goesOn = { from: now + 90 * 60, to: now + 2 * day };
  sandbox.world.plant({ checkId: second, status: 'down', ...goesOn });
  await world.start();
  return world;
}

const read = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? 'not found';
/** A name in a regular expression. */
const literally = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface ListJson {
  readonly total: number;
  readonly by_status: Record<string, number>;
  readonly last_24_hours: readonly {
    readonly id: number;
    readonly name: string;
    readonly up_ratio?: number;
    readonly outages: number;
  }[];
}

interface WindowJson {
  readonly limit: number;
  readonly remaining: number;
  readonly reserve: number;
  readonly remaining_at_reset: number;
}

interface Annotation {
  readonly kind: string;
  readonly time: number;
  readonly timeEnd: number;
  readonly ongoing?: boolean;
}

/** The parts of a public page that are compared. */
interface PublicJson {
  readonly title: string;
  readonly services: readonly {
    readonly state: string;
    readonly days: readonly { readonly down: number; readonly planned_work_down: number }[];
  }[];
  readonly outages: readonly { readonly from: number; readonly to?: number }[];
}

/** The parts of an account in `/status.json` that are compared. */
interface AccountJson {
  readonly checks: ListJson;
  readonly transactions: ListJson;
  readonly groups: readonly {
    readonly name: string;
    readonly checks: number;
    readonly error_ratio: Record<string, number | undefined>;
    readonly error_budget_remaining_ratio?: number;
  }[];
  readonly counting: { readonly counted_until: number };
  readonly check_list: { readonly age_seconds: number };
  readonly datasets: { readonly checks: { readonly items: number } };
  readonly first_sight?: { readonly pasts_left: number };
  readonly budget: {
    readonly requests_per_second: number;
    readonly planned_requests_per_second: number;
    readonly windows: { readonly short: WindowJson; readonly long: WindowJson };
  };
}

interface Sources {
  readonly world: World;
  readonly shown: Shown;
  readonly home: string;
  readonly account: AccountJson;
  readonly sample: (family: string, ...labels: readonly string[]) => number | undefined;
  readonly sum: (family: string, ...labels: readonly string[]) => number;
}

/** Availability, error budget and outages of each check and transaction. */
async function walkItems({ world, shown, account, sample, home }: Sources): Promise<void> {
  const monthHome = await world.get('/?window=30d');
  const annotations = JSON.parse(await world.get('/outages.json'));
  for (const kind of ['check', 'transaction'] as const) {
    for (const { id, name, up_ratio: up, outages } of account[`${kind}s`].last_24_hours) {
      const of = (metric: string, ...labels: readonly string[]) =>
        sample(`uptime_${kind}_${metric}`, `check_id="${id}"`, ...labels);
      const page = figuresOf(await world.get(`/accounts/shop/${kind}s/${id}`));
      const [row, monthRow] = [home, monthHome].map((text) =>
        tableOf(text, 'Checks and transactions').get(name),
      );
      const ratios = { '24h': '1d', '7d': '7d', '30d': '30d' };
      for (const [window, range] of Object.entries(ratios)) {
        // Without a failure in 30 days there is no series of shorter windows.
        const flawless = of('error_ratio', 'window="30d"') === 0 ? 0 : undefined;
        const errors = of('error_ratio', `window="${range}"`) ?? flawless;
        const availability = `availability of ${name} in ${window}`;
        shown.add(availability, '/metrics', errors === undefined ? '–' : percent(1 - errors));
        shown.add(availability, 'its page', page.get(`Up, ${window}`));
        const badge = await world.get(`/badge/${id}.svg?window=${window}`);
        const isWhole = !row?.[3]?.includes('until');
        if (isWhole) shown.add(availability, 'badge', /· ([\d.]+ %)/.exec(badge)?.[1] ?? '–');
        if (window === '30d') shown.add(availability, '/', monthRow?.[3]?.split(' until')[0]);
        if (window !== '24h') continue;
        shown.add(availability, '/', row?.[3]?.split(' until')[0]);
        shown.add(`${availability}, exactly`, '/metrics', errors === undefined ? '–' : 1 - errors);
        shown.add(`${availability}, exactly`, '/status.json', up ?? '–');
      }
      const budget = `error budget left of ${name}`;
      shown.add(budget, '/metrics', left(of('error_budget_remaining_ratio')));
      shown.add(budget, '/', row?.[5]);
      shown.add(budget, 'its page', page.get('Budget left'));
      const ofDay = annotations.filter((one: Record<string, unknown>) => one[`${kind}Id`] === id);
      shown.add(`outages of ${name} in a day`, '/outages.json', ofDay.length);
      shown.add(`outages of ${name} in a day`, '/status.json', outages);
    }
  }
}

/** How many there are, in which state, and how much is read of them. */
function walkCounts({ shown, home, account, sample, sum }: Sources): void {
  const tiles = new Map(
    [...home.matchAll(/<b>([\d,]+)<\/b> <span>([\w ]+)<\/span>/g)].map(([, count, word = '']) => [
      word.toLowerCase().replace(' ', '_'),
      Number(count),
    ]),
  );
  const { checks, transactions } = account;
  const words = { up: 'successful', down: 'failing', unknown: 'unknown' } as const;
  for (const state of ['up', 'down', 'unconfirmed_down', 'unknown', 'paused']) {
    const word = words[state as keyof typeof words];
    shown.add(`items ${state}`, '/', tiles.get(state));
    const ofTransactions = transactions.by_status[word] ?? 0;
    const ofChecks = checks.by_status[state] ?? 0;
    shown.add(`items ${state}`, '/status.json', ofChecks + ofTransactions);
    const statuses = sum('uptime_checks', `status="${state}"`);
    shown.add(
      `items ${state}`,
      '/metrics',
      statuses + sum('uptime_transactions', `status="${word}"`),
    );
  }
  const entries = home.match(/<th scope="row">checks<\/th>.*?<\/tr>/s)?.[0] ?? '';
  const listed = Number(textOf(entries).split(' ').at(-1));
  shown.add('checks', '/', listed);
  shown.add('checks', '/status.json', checks.total);
  shown.add('checks', '/status.json, dataset', account.datasets.checks.items);
  shown.add('checks', '/metrics', sample('uptime_listed_checks'));
  shown.add(
    'checks',
    '/metrics, dataset',
    sample('uptime_exporter_dataset_items', 'dataset="checks"'),
  );
  const rows = account.checks.last_24_hours.length;
  shown.add('checks', '/status.json, last 24 hours', rows);
  shown.add('counted until', '/status.json', account.counting.counted_until);
  shown.add('counted until', '/metrics', sample('uptime_exporter_counted_until_timestamp_seconds'));
  const lists = textOf(home);
  shown.add('age of the list', '/', read(lists, /check list ([\d a-z]+) old/));
  shown.add('age of the list', '/status.json', duration(account.check_list.age_seconds));
  const unread = sample('uptime_exporter_unread_past_checks') ?? 0;
  shown.add('checks whose past is not read', '/metrics', unread);
  shown.add('checks whose past is not read', '/status.json', account.first_sight?.pasts_left ?? 0);
  const past = /The past of (\d+) checks?/.exec(lists)?.[1] ?? 0;
  shown.add('checks whose past is not read', '/', Number(past));
}

function duration(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  return [minutes > 0 ? `${minutes} min` : '', rest > 0 || minutes === 0 ? `${rest} s` : '']
    .filter(Boolean)
    .join(' ');
}

/** What a group has in common with its checks. */
async function walkGroups({ world, shown, home, account, sample, sum }: Sources): Promise<void> {
  const all = tableOf(await world.get('/groups'), 'Groups');
  const first = tableOf(home, 'Groups');
  for (const group of account.groups) {
    const { name } = group;
    const page = figuresOf(await world.get(`/groups/${encodeURIComponent(name)}`));
    const label = `group="${name}"`;
    const errors = sample('uptime_group_error_ratio', label, 'window="30d"', 'of="mean"');
    const [availability, budget] = [
      `availability of group ${name}`,
      `budget left of group ${name}`,
    ];
    const shownRatio = (ratio: number | undefined) =>
      ratio === undefined ? '–' : percent(1 - ratio);
    shown.add(availability, '/metrics', shownRatio(errors));
    shown.add(availability, '/status.json', shownRatio(group.error_ratio['30d']));
    shown.add(availability, 'its page', page.get('Up, 30d'));
    const isKnown = errors !== undefined;
    if (isKnown) shown.add(availability, '/groups', all.get(name)?.[3]);
    if (isKnown) shown.add(availability, '/', first.get(name)?.[3]);
    const ratio = sample('uptime_group_error_budget_remaining_ratio', label);
    shown.add(budget, '/metrics', left(ratio));
    shown.add(budget, '/status.json', left(group.error_budget_remaining_ratio));
    shown.add(budget, 'its page', page.get('Budget left'));
    if (isKnown) shown.add(budget, '/groups', all.get(name)?.[4]);
    shown.add(`checks of group ${name}`, '/metrics', sum('uptime_group_checks', label));
    shown.add(`checks of group ${name}`, '/status.json', group.checks);
    const [, count] = /(\d+) checks?, objective/.exec(all.get(name)?.[0] ?? '') ?? [];
    shown.add(`checks of group ${name}`, '/groups', Number(count));
    const burn = sample('uptime_group_burn_rate', label, 'window="1h"') ?? 0;
    if (isKnown) shown.add(`burn rate of group ${name}`, '/groups', all.get(name)?.[5]);
    if (isKnown)
      shown.add(`burn rate of group ${name}`, '/metrics', grouped(Number(burn.toFixed(1))));
  }
}

/** What may be sent, what is left, and what is planned. */
async function walkBudget({ world, shown, home, account, sample }: Sources): Promise<void> {
  const page = textOf(await world.get('/budget'));
  const { windows, ...budget } = account.budget;
  const perHour = (rate: number) =>
    rate * 3600 < 10 ? (rate * 3600).toFixed(1) : grouped(Math.floor(rate * 3600));
  const planned = planReport(
    { version: '3.1', checks: account.checks.total, transactions: account.transactions.total },
    { short: completeWindow('short', shortLimit), long: completeWindow('long', longLimit) },
  );
  const reserves = /(\d+) and (\d+) of them are left to others/.exec(planned) ?? [];
  for (const [place, name] of (['short', 'long'] as const).entries()) {
    const title = name === 'short' ? 'Short window' : 'Long window';
    const text = page.split(title)[1]?.split(' window ')[0] ?? '';
    const { limit, remaining, reserve, remaining_at_reset: atReset } = windows[name];
    const of = (family: string) =>
      sample(`uptime_exporter_rate_limit_${family}`, `window="${name}"`);
    const [limits, lefts, reserved] = [`${name} limit`, `${name} left`, `${name} reserve`];
    shown.add(limits, 'the service', [shortLimit, longLimit][place]);
    shown.add(limits, '/budget', Number(read(text, /of ([\d,]+) left/).replaceAll(',', '')));
    shown.add(limits, '/status.json', limit);
    shown.add(limits, '/metrics', of('limit'));
    shown.add(lefts, '/budget', Number(read(text, /([\d,]+) of [\d,]+ left/).replaceAll(',', '')));
    shown.add(lefts, '/status.json', remaining);
    shown.add(lefts, '/metrics', of('remaining'));
    shown.add(reserved, '/budget', Number(read(text, /The last ([\d,]+) are/).replaceAll(',', '')));
    shown.add(reserved, '/status.json', reserve);
    shown.add(reserved, '/metrics', of('reserve'));
    shown.add(reserved, 'plan', Number(reserves[place + 1]));
    shown.add(`${name} left at the reset`, '/budget', read(text, /hour, ([\d,]+) are left at/));
    shown.add(`${name} left at the reset`, '/status.json', grouped(Math.round(atReset)));
    shown.add('planned an hour', `/budget, ${name}`, read(text, /planned ([\d.,]+) an hour/));
    if (name === 'short') {
      const summary = read(textOf(home), /overdue; ([\d,]+ of [\d,]+) requests left/);
      shown.add('short, of limit', '/', summary);
      shown.add('short, of limit', '/status.json', `${grouped(remaining)} of ${grouped(limit)}`);
    }
  }
  shown.add('planned an hour', '/status.json', perHour(budget.planned_requests_per_second));
  const allowed = sample('uptime_exporter_budget_requests_per_second') ?? 0;
  shown.add('allowed an hour', '/budget', read(page, /may send ([\d.,]+) requests/));
  shown.add('allowed an hour', '/status.json', perHour(budget.requests_per_second));
  shown.add('allowed an hour', '/metrics', perHour(allowed));
  const most = 'the plan is no more than what may be sent';
  shown.add(most, '/status.json', budget.planned_requests_per_second <= budget.requests_per_second);
  shown.add(most, 'expected', true);
}

/** The outages of all time, and the months, in each of their forms. */
async function walkOutages({ world, shown, sample }: Sources): Promise<void> {
  const page = await world.get('/outages');
  const csv = csvOf(await world.get('/outages.csv'));
  const all = JSON.parse(await world.get('/outages.json?from=0'));
  const outages = all.filter(({ kind }: { kind: string }) => kind === 'outage');
  shown.add('outages', '/outages', Number(read(textOf(page), /(\d+) outages? Check/)));
  shown.add('outages', '/outages.csv', csv.length);
  shown.add('outages', '/outages.json', outages.length);
  for (const { checkId, transactionId, time, timeEnd, ongoing } of outages) {
    const id = checkId ?? transactionId;
    const begin = new Date(time).toISOString().replace('.000', '');
    const line = csv.find((one) => one.id === `${id}` && one.begin === begin);
    const name = `outage of ${id} at ${begin}`;
    shown.add(`${name}, seconds`, '/outages.json', (timeEnd - time) / 1000);
    shown.add(`${name}, seconds`, '/outages.csv', Number(line?.seconds));
    if (ongoing) continue;
    const ended = sample(
      'uptime_recent_outage_end_timestamp_seconds',
      `check_id="${id}"`,
      `outage="${time / 1000}"`,
    );
    if (ended === undefined) continue;
    shown.add(`${name}, end`, '/metrics', ended);
    shown.add(`${name}, end`, '/outages.json', timeEnd / 1000);
  }
}

/** The page that everyone may read: its services are the checks of a group. */
async function walkPublicPage({ world, shown, account, sample }: Sources): Promise<void> {
  const { group } = publicPage;
  const page: PublicJson = JSON.parse(await world.get('/status/shop.json'));
  const text = textOf(await world.get('/status/shop'));
  const all: readonly Annotation[] = JSON.parse(
    await world.get(`/outages.json?group=${group}&from=0`),
  );
  const outages = all.filter(({ kind }) => kind === 'outage');
  const checks = account.groups.find(({ name }) => name === group)?.checks;
  shown.add(`services of ${group}`, '/status/shop.json', page.services.length);
  shown.add(`services of ${group}`, '/status.json', checks);
  const downNow = page.services.filter(({ state }) => state === 'down').length;
  shown.add(`services down of ${group}`, '/status/shop.json', downNow);
  const label = `group="${group}"`;
  shown.add(
    `services down of ${group}`,
    '/metrics',
    sample('uptime_group_checks', label, 'status="down"'),
  );
  shown.add(`outages of ${group}`, '/status/shop.json', page.outages.length);
  shown.add(`outages of ${group}`, '/outages.json', outages.length);
  const lengths = (list: readonly number[]) => [...list].sort((a, b) => a - b).join(' ');
  const ended = outages.filter(({ ongoing }) => !ongoing);
  const over = page.outages.flatMap(({ from, to }) => (to === undefined ? [] : [to - from]));
  shown.add(`lengths of outages of ${group}`, '/status/shop.json', lengths(over));
  shown.add(
    `lengths of outages of ${group}`,
    '/outages.json',
    lengths(ended.map(({ time, timeEnd }) => (timeEnd - time) / 1000)),
  );
  shown.add('title of the page', '/status/shop', text.includes(page.title));
  shown.add('title of the page', 'expected', true);
  if (ended.length < outages.length) return;
  const down = page.services.flatMap(({ days }) =>
    days.map((day) => day.down + day.planned_work_down),
  );
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  shown.add(`seconds down of ${group}`, '/status/shop.json, days', sum(down));
  shown.add(`seconds down of ${group}`, '/status/shop.json, outages', sum(over));
}

async function walkReport({ world, shown }: Sources): Promise<void> {
  for (const month of ['2025-12', '2026-01']) {
    const at = (path: string) => world.get(`${path}?month=${month}`);
    const json = JSON.parse(await at('/report.json'));
    const csv = csvOf(await at('/report.csv'));
    const text = await at('/report.txt');
    const page = await at('/report');
    const outagesCsv = csvOf(await at('/report-outages.csv'));
    shown.add(`outages in ${month}`, '/report.json', json.outages.length);
    shown.add(`outages in ${month}`, '/report-outages.csv', outagesCsv.length);
    shown.add(`outages in ${month}`, '/report', rowsIn(page, 'Outages'));
    for (const row of [...json.groups, ...json.items]) {
      const table = tableOf(page, row.kind === 'group' ? 'Groups' : 'Checks and transactions');
      const cells = table.get(row.name) ?? [];
      const line = csv.find(({ kind, name }) => kind === row.kind && name === row.name) ?? {};
      const words = read(text, new RegExp(`^  ${literally(row.name)}: (.*)$`, 'm'));
      const name = `${row.kind} ${row.name} in ${month}`;
      const up = row.availability;
      const upText = up === undefined ? '–' : percent(up, 3);
      shown.add(`${name}, availability`, '/report.json', upText);
      shown.add(
        `${name}, availability`,
        '/report.csv',
        line.availability === '' ? '–' : percent(Number(line.availability), 3),
      );
      shown.add(
        `${name}, availability`,
        '/report.txt',
        /([\d.]+ %) available/.exec(words)?.[1] ?? '–',
      );
      shown.add(`${name}, availability`, '/report', /^([\d.]+ %|–)/.exec(cells[1] ?? '')?.[1]);
      shown.add(`${name}, outages`, '/report.json', row.outages);
      shown.add(`${name}, outages`, '/report.csv', Number(line.outages));
      shown.add(
        `${name}, outages`,
        '/report.txt',
        Number(/, (\d+) outages?/.exec(words)?.[1] ?? 0),
      );
      shown.add(`${name}, outages`, '/report', Number(/^(\d+)/.exec(cells[4] ?? '')?.[1] ?? 0));
      shown.add(`${name}, down`, '/report.csv', Number(line.down_seconds));
      shown.add(`${name}, down`, '/report.json', row.down_seconds);
      shown.add(
        `${name}, down in words`,
        '/report.txt',
        /, down ([\d a-z]+)/.exec(words)?.[1] ?? '',
      );
      shown.add(`${name}, down in words`, '/report', cells[3] ?? '');
    }
  }
}

async function walk(world: World): Promise<Shown> {
  const shown = new Shown();
  const home = await world.get('/?window=24h');
  const samples = await world.scrape();
  const matching = (family: string, labels: readonly string[]) =>
    [...samples]
      .filter(
        ([series]) =>
          series.startsWith(`${family}{`) && labels.every((label) => series.includes(label)),
      )
      .map(([, value]) => value);
  const {
    accounts: [account],
  } = JSON.parse(await world.get('/status.json'));
  const sources: Sources = {
    ...{ world, shown, home, account },
    sample: (family, ...labels) => matching(family, labels)[0],
    sum: (family, ...labels) => matching(family, labels).reduce((all, one) => all + one, 0),
  };
  await walkItems(sources);
  walkCounts(sources);
  await walkGroups(sources);
  await walkBudget(sources);
  await walkOutages(sources);
  await walkPublicPage(sources);
  await walkReport(sources);
  return shown;
}

describe('one quantity has one number', () => {
  test('on every surface, from the first minutes on, while a check is down', async () => {
    const world = await worldOfFailures();
    for (const minutes of [3, 92]) {
      await world.pass(minutes * 60 + 7);
      const shown = await walk(world);
      expect({ minutes, wrong: shown.wrong }).toEqual({ minutes, wrong: [] });
      expect(shown.quantities).toBeGreaterThan(300);
    }
    await world.stop();
  });
});
