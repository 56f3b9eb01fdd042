import { describe, expect, it } from 'vitest';
import { LabelPolicy } from '../../../src/exposition/labels/label-policy.ts';
import type { AccountSnapshot } from '../../../src/state/snapshot.ts';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';
import { anyChecks, anyTransactions } from '../support/arbitraries.ts';
import { aRenderer, parsePage, plainText, samplesOf } from '../support/rendering.ts';
import {
  aCheck,
  aSnapshot,
  aTransaction,
  everyDataset,
  fullSnapshot,
} from '../support/snapshots.ts';

const team = { from: 'team:*', as: 'owner_team' };
const tagged = (...names: string[]) => names.map((name) => ({ name, source: 'user' as const }));

async function pageOf(
  snapshot: AccountSnapshot,
  options: ConstructorParameters<typeof LabelPolicy>[0],
) {
  return aRenderer({ labels: new LabelPolicy(options) }).render([
    { ...snapshot, datasets: everyDataset() },
  ]);
}

describe('promoted labels', () => {
  it('are on every series of checks and transactions, and on no other', async () => {
    const page = await pageOf(fullSnapshot(), { promote: [team, { from: 'tier-*' }] });

    for (const { name, samples } of parsePage(page)) {
      const isRow = /^uptime_(check|transaction)_/.test(name);
      for (const { labels } of samples) {
        expect('owner_team' in labels, name).toBe(isRow);
        expect('tier' in labels, name).toBe(isRow);
      }
    }
  });

  it('of a property are on checks only, and once where the family has them itself', async () => {
    const promote = [{ from: 'hostname' }, { from: 'check_type' }, team];
    const page = await pageOf(fullSnapshot(), { promote });

    expect(samplesOf(page, 'uptime_check_paused')[0]?.labels).toEqual({
      account: 'main',
      check_id: '1',
      name: 'check 1',
      hostname: 'host-1.example.com',
      check_type: 'http',
      owner_team: '',
    });
    expect(samplesOf(page, 'uptime_check_info')[0]?.labels).toMatchObject({
      hostname: 'host-1.example.com',
      check_type: 'http',
      owner_team: '',
    });
    const [transaction] = samplesOf(page, 'uptime_transaction_status');
    expect(Object.keys(transaction?.labels ?? {})).toEqual([
      'account',
      'check_id',
      'name',
      'owner_team',
      'status',
    ]);
  });

  it('take what follows the key, several tags in order and each once', async () => {
    const checks = [
      aCheck({ id: 1, tags: tagged('team:shop', 'other', 'team:data', 'team:shop') }),
      aCheck({ id: 2, tags: tagged('team', 'TEAM:x', 'steam:y') }),
    ];
    const transactions = [aTransaction({ tags: tagged('team:pay') })];

    const page = await pageOf(aSnapshot({ checks, transactions }), { promote: [team] });

    const teams = (family: string) =>
      samplesOf(page, family).map(({ labels }) => labels.owner_team);
    expect(teams('uptime_check_paused')).toEqual(['data,shop', '']);
    expect(teams('uptime_transaction_up')).toEqual(['pay']);
  });

  it.each([
    ['before the label was promoted', {}],
    ['under a label that is no longer promoted', { tier: '' }],
  ])('are no second series of an open outage that was shown %s', async (_, promoted) => {
    const outage = { importance: 'high', hostname: '' } as const;
    const page = await pageOf(
      aSnapshot({
        checks: [aCheck({ outage: { ...outage, open: true } })],
        endedChecks: [aCheck({ outage: { ...outage, open: false, promoted } })],
      }),
      { promote: [team] },
    );

    // Prometheus drops empty labels, so both would be the same series with two values.
    const samples = samplesOf(page, 'uptime_check_outage_open');
    expect(samples.map(({ value }) => value)).toEqual([1]);
  });

  it('leave the page as it is when none is promoted', async () => {
    const [page, plain] = await Promise.all([
      pageOf(fullSnapshot(), { promote: [] }),
      aRenderer().render([fullSnapshot()]),
    ]);

    expect(plainText(page, 'text')).toBe(plainText(plain, 'text'));
  });

  it('give series that are distinct and whose families have the same label names', async () => {
    await fc.assert(
      fc.asyncProperty(anyChecks, anyTransactions, async (checks, transactions) => {
        const page = await pageOf(aSnapshot({ checks, transactions }), {
          promote: [team, { from: 'hostname' }],
        });

        const families = parsePage(page).filter(
          ({ type }) => type === 'gauge' || type === 'counter',
        );

        for (const { samples } of families) {
          expect(new Set(samples.map(({ labels }) => Object.keys(labels).join())).size).toBe(1);
        }
        expect(samplesOf(page, 'uptime_check_paused')).toHaveLength(checks.length);
      }),
      { numRuns: extent(15, 50) },
    );
  });
});
