import { expect, test } from 'vitest';
import type { DatasetName, OperationName } from '../../src/domain/dataset.ts';
import { demandsOf } from '../../src/schedule/demand.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

/**
 * The operations of a refresh, if there are several or if a list has several result pages. A refresh
 * of `performance` is left out: it needs no request while its hour is known.
 */
const operationsOf = {
  checks: ['list_checks'],
  transactions: ['list_transactions', 'list_transaction_states'],
  average: ['get_average'],
  transaction_performance: ['get_transaction_performance'],
  maintenance: ['list_maintenance', 'list_occurrences'],
  credits: ['get_credits'],
  contacts: ['list_contacts'],
  account: ['get_server_time', 'list_email_reports', 'list_public_reports', 'list_shared_reports'],
} satisfies Partial<Record<DatasetName, readonly OperationName[]>>;

type Paged = keyof typeof operationsOf;

// A list without a total needs one more request if its length is a multiple of 50.
const accounts = [
  { version: '3.1', checks: 100, transactions: 100 },
  { version: '3.1', checks: 12, transactions: 140 },
  { version: '2.1', checks: 100, transactions: 0 },
  { version: '2.0', checks: 100, transactions: 0 },
  { version: '2.0', checks: 99, transactions: 0 },
] as const;

test.each(casesOf(accounts, 3))(
  'refreshes of an account of API $version with $checks checks and $transactions transactions need the requests that the plan counts',
  async ({ version, checks, transactions }) => {
    const exporter = await RestartableExporter.create({
      checks,
      transactions,
      account: accountsByVersion[version],
      seed: 2,
      shortLimit: 8_000,
      longLimit: 1_440_000,
    });
    const { world, journal } = exporter.sandbox;
    const [from, to] = [exporter.now - 86_400, exporter.now + 86_400];
    for (const { id } of world.checks) world.plant({ checkId: id, status: 'up', from, to });
    await exporter.start();
    await exporter.pass(1_500);

    const refreshes = (dataset: string) => {
      const isOne = new RegExp(
        `msg=("first refresh succeeded"|refreshed) .*dataset=${dataset}\\b.* items=`,
      );
      return exporter.log.filter((line) => isOne.test(line)).length;
    };
    const requests = (operations: readonly OperationName[]) =>
      operations.reduce((sum, operation) => sum + journal.countOfOperation(operation), 0);
    const planned = demandsOf({ version, checks, transactions });

    const wrong = planned.flatMap(({ name, cost }) => {
      if (!(name in operationsOf)) return [];
      const sent = requests(operationsOf[name as Paged]);
      const ended = cost * refreshes(name);
      // The last refresh of a check may not have ended.
      return ended > 0 && sent >= ended && sent < ended + cost
        ? []
        : [`${name}: ${sent}, not ${ended}`];
    });
    expect(wrong).toEqual([]);
    expect(planned.filter(({ name }) => name in operationsOf).length).toBeGreaterThan(4);
  },
);
