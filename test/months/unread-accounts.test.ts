import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { csvColumnsMarkdown } from '../../src/months/http/column-docs.ts';
import { livelyAccount } from '../support/lively-account.ts';
import { accountsByState, datasetWith, noon } from '../support/snapshots.ts';
import { application, monthsOf, october } from './support/october.ts';

const shop = livelyAccount(12);

/** The account `blind`, whose token is refused. */
const blind = {
  ...shop,
  snapshot: {
    ...shop.snapshot,
    account: 'blind',
    up: false,
    datasets: {
      ...shop.snapshot.datasets,
      checks: datasetWith({
        lastSuccessAtSeconds: noon - 900,
        failure: {
          reason: 'unauthorized',
          message: 'the API responded with 401',
          sinceSeconds: noon - 600,
          consecutive: 2,
        },
      }),
    },
  },
};
const sentence =
  /The account blind cannot be read, last read 2026-01-05 11:45 UTC\. Unauthorised: The service does not let/;
const status = { accounts: () => [shop, blind] };
const app = request(application([monthsOf('shop', october), monthsOf('blind', [])], { status }));

describe('a report of two accounts, of which one cannot be read,', () => {
  test.each(['', '.txt'])('names it first in /report%s', async (form) => {
    const { text } = await app.get(`/report${form}`);
    const words = text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(words).toMatch(sentence);
    expect(words.search(sentence)).toBeLessThan(words.indexOf('missed the objective'));
  });

  test('names it in the JSON, and in a header of each form for programs', async () => {
    const { body, headers } = await app.get('/report.json');
    expect(body.accounts_not_read).toMatchObject([{ account: 'blind', unreadable: true }]);
    expect(headers['x-unreadable-accounts']).toBe('blind');
    expect((await app.get('/report.csv')).headers).toMatchObject({
      'x-unreadable-accounts': 'blind',
    });
  });

  test('says nothing of it if only the other one was asked for', async () => {
    const { text, headers } = await app.get('/report.txt?account=shop');
    expect(text).not.toContain('blind');
    expect(headers).not.toHaveProperty('x-unreadable-accounts');
  });

  test.each(['', '.txt', '.html'])(
    'says in /report%s why nothing is known of the one that is asked for',
    async (form) => {
      const { text, status } = await app.get(`/report${form}?account=blind`);
      const words = text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
      expect(status).toBe(200);
      expect(words).toMatch(sentence);
      expect(words).toContain('Nothing is known of this month, because an account cannot be read.');
      expect(words).not.toMatch(/0 of 0|selected/);
    },
  );

  test('does not refuse a group that the one that is asked for may have', async () => {
    const asked = await app.get('/report.txt?account=blind&group=lab');
    expect(asked.status).toBe(200);
    expect(asked.text).toMatch(sentence);
    expect(asked.headers['x-unreadable-accounts']).toBe('blind');
    expect(asked.text).toContain(
      'Nothing that is known of this month is selected, and an account cannot be read.',
    );
    expect((await app.get('/report.txt?account=shop&group=lab')).status).toBe(400);
  });

  test.each(['report', 'report-outages'])('is no empty %s.csv of that one', async (name) => {
    const { text, status } = await app.get(`/${name}.csv?account=blind`);
    expect(status).toBe(503);
    expect(text).toMatch(sentence);
  });

  test('names it in the subject of the mail', async () => {
    const { text } = await app.get('/report.html');
    expect(text).toContain('<title>October 2026: 1 account cannot be read. 1 of 1 group and');
  });
});

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

describe('a report of an account that is starting', () => {
  const { starting } = accountsByState;
  const both = [monthsOf('shop', october), monthsOf('new', [])];
  const started = request(
    application(both, { status: { accounts: () => [shop, starting, blind] } }),
  );
  const said =
    'The account new has not been read since the start of the exporter. Starting: The first check list is on its way.';

  test.each(['', '.txt', '.html'])(
    'says in /report%s that it is starting, not that it cannot be read',
    async (form) => {
      const words = wordsOf((await started.get(`/report${form}?account=new`)).text);
      expect(words).toContain(said);
      expect(words).toContain('Nothing is known of this month, because an account is starting.');
      expect(words).not.toContain('cannot be read');
    },
  );

  test.each(['report', 'report-outages'])('is no empty %s.csv of it', async (name) => {
    const { text, status } = await started.get(`/${name}.csv?account=new`);
    expect(status).toBe(503);
    expect(text).toContain(said);
  });

  test('is told from one that cannot be read in the subject of the mail', async () => {
    const { text } = await started.get('/report.html');
    expect(text).toContain(
      '<title>October 2026: 1 account cannot be read. 1 account is starting. 1 of 1 group and',
    );
  });
});

describe('a report', () => {
  test.each([
    ['stale', 'The check list is too old.'],
    ['failing', 'The last refresh of the check list failed.'],
  ] as const)('says nothing of what the status page shows of a %s account', async (state, why) => {
    const status = { accounts: () => [accountsByState[state]] };
    const { account } = accountsByState[state].snapshot;
    const read = request(application([monthsOf(account, october)], { status }));
    expect(wordsOf((await read.get('/report.txt')).text)).toMatch(new RegExp(`: ${why} October`));
  });

  test('of an account without checks says that none was counted', async () => {
    const { text } = await request(application([monthsOf('shop', [])])).get('/report');
    expect(text).toContain('No check or transaction was counted in this month.');
  });

  test('counts what was not tested apart from what met the objective', async () => {
    const { text } = await request(application([monthsOf('shop', october)])).get('/report.txt');
    expect(text).toMatch(
      /1 of 5 checks and transactions missed the objective\. .*1 was not tested\./,
    );
  });
});

describe('a report of an account of which only the transactions cannot be read', () => {
  const failure = {
    reason: 'forbidden',
    message: 'the API responded with 403',
    sinceSeconds: noon - 600,
    consecutive: 2,
  } as const;
  const { datasets } = shop.snapshot;
  const partly = {
    ...shop,
    snapshot: {
      ...shop.snapshot,
      datasets: {
        ...datasets,
        transactions: datasetWith({ failure, lastSuccessAtSeconds: noon - 900 }),
      },
    },
  };
  const read = request(
    application([monthsOf('shop', october)], { status: { accounts: () => [partly] } }),
  );
  const said =
    /The transactions of the account [\w ]+ cannot be read, last read 2026-01-05 11:45 UTC\. The last refresh of their list failed \(forbidden\)\./;

  test.each(['', '.txt'])('names them first in /report%s', async (form) => {
    const { text } = await read.get(`/report${form}`);
    const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toMatch(said);
    expect(words.search(said)).toBeLessThan(words.indexOf('missed the objective'));
  });

  test('names them in the mail', async () => {
    const { text } = await read.get('/report.html');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(said);
  });

  test('names them in the JSON, and is no failure', async () => {
    const { body, headers } = await read.get('/report.json');
    expect(body.accounts_not_read).toMatchObject([{ unreadable: false, only: 'transactions' }]);
    expect(headers).not.toHaveProperty('x-unreadable-accounts');
  });

  test('has only JSON fields that are documented', async () => {
    const { body } = await read.get('/report.json');
    const { accounts_not_read, totals, groups, items, outages, ...head } = body;
    const fields = [
      ...Object.keys(head),
      ...accounts_not_read
        .flatMap(Object.keys)
        .map((name: string) => `accounts_not_read[].${name}`),
      ...totals.flatMap(Object.keys).map((name: string) => `totals[].${name}`),
    ];
    expect(fields).toEqual(expect.arrayContaining(['accounts_not_read[].only', 'totals[].items']));
    const documented = csvColumnsMarkdown();
    expect(fields.filter((name) => !documented.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
