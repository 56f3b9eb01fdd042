import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/exposition/catalogue/catalogue.ts';
import { boards } from '../../support/boards.ts';
import { type Read, readByBoards, readByDocuments, readByRules } from './families-read.ts';

const families = catalogue.flatMap((section) => section.families);
const names = families.map(({ name }) => name);
const partOf = (name: string) => families.find((family) => family.name === name)?.lean;
const isOnlyFull = (name: string) => partOf(name) === 'nothing';
const reads = [...readByRules, ...readByBoards, ...readByDocuments];

/** What needs a family that only `full` has, or that is included by its name. docs/metrics.md lists alerts and panels. */
const optional: readonly string[] = [
  'UptimeCheckSlow',
  'UptimeCheckNotifiesNobody',
  'dashboards/check.json: Who is notified',
  // Names what the backfill writes.
  'docs/history.md',
  // They describe how to include one.
  'docs/configuration.md',
  'docs/metrics.md',
  'docs/runbook.md',
];

/** Lean families that nothing reads, and why they are served. */
const unread: Readonly<Record<string, string>> = {
  uptime_transactions: 'as for checks',
  uptime_check_probe_results_total: 'only with by_country',
  uptime_check_probe_response_time_seconds: 'only with by_country',
  uptime_check_hour_of_day_average_response_time_seconds: 'only with the dataset hours_of_day',
  uptime_check_active_probes: 'only with the dataset active_probes',
  uptime_transaction_tag_info: 'tags, as for checks',
  uptime_exporter_api_request_duration_seconds: 'after the first request of an operation',
  uptime_exporter_api_response_bytes_total: 'after the first request of an operation',
  uptime_exporter_poller_errors_total: 'after the first error',
  uptime_exporter_probe_requests_total: 'after the first request',
};

describe('metrics: lean', () => {
  it('has what every rule, board and document reads, but the optional ones', () => {
    const missing = reads.filter(({ family, by }) => isOnlyFull(family) && !optional.includes(by));

    expect(missing).toEqual([]);
  });

  it('is named by each panel that is empty without one of its families', () => {
    const texts = new Map(
      boards.flatMap(({ path, panels }) =>
        panels.map(({ title, fieldConfig }) => [
          `${path}: ${title}`,
          fieldConfig.defaults.noValue ?? '',
        ]),
      ),
    );
    const silent = readByBoards.filter(
      ({ family, by }) =>
        (isOnlyFull(family) || partOf(family) === 'hourly results') &&
        !texts.get(by)?.includes(`metrics.include: [${family}]`),
    );

    expect(silent).toEqual([]);
  });

  it('lets nobody be optional who reads lean families alone', () => {
    const needed = reads.filter(({ family }) => isOnlyFull(family)).map(({ by }) => by);

    expect([...new Set(needed)].sort()).toEqual([...optional].sort());
  });

  it('has no family that nothing reads, but those with a reason', () => {
    const read = new Set(reads.map(({ family }) => family));
    const without = names.filter((name) => !read.has(name) && !isOnlyFull(name));

    expect(without).toEqual(
      Object.keys(unread).sort((a, b) => names.indexOf(a) - names.indexOf(b)),
    );
  });

  it.each(families.filter((family) => typeof family.lean === 'object'))(
    'has exactly the windows of $name that are read',
    (family) => {
      const part = family.lean;
      const read = reads.flatMap(({ family: name, windows = [] }: Read) =>
        name === family.name ? windows : [],
      );

      expect(typeof part === 'object' && part.label).toBe('window');
      expect(typeof part === 'object' && [...part.values].sort()).toEqual(
        [...new Set(read)].sort(),
      );
    },
  );

  it('reads no family without its window of which lean has only some', () => {
    const all = [...readByRules, ...readByBoards].filter(
      ({ family, windows }) => typeof partOf(family) === 'object' && windows === undefined,
    );

    expect(all).toEqual([]);
  });

  it('serves zeros of a counter that a rule reads by increase or rate', () => {
    const counters = families.filter(({ type }) => type === 'counter').map(({ name }) => name);
    const begun = counters.filter((name) => partOf(name) === 'events');

    expect(readByRules.map(({ family }) => family).filter((name) => begun.includes(name))).toEqual(
      [],
    );
  });
});
