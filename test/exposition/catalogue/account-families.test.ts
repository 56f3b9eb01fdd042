import { describe, expect, it } from 'vitest';
import { freshPage, plainText } from '../support/rendering.ts';
import { seriesOf } from '../support/series.ts';
import { aSnapshot, everyDataset, fullSnapshot } from '../support/snapshots.ts';

describe('families of the account', () => {
  it('keep kinds of contacts that the service adds later', async () => {
    const snapshot = aSnapshot({
      contacts: [{ id: 1, type: 'unknown', targets: [] }],
      datasets: everyDataset(),
    });

    expect(await seriesOf(snapshot, 'contacts', ['account'])).toContain('unknown,unknown 1');
  });

  it('show nothing of a contact or a team but counts', async () => {
    const { contacts = [], teams = [] } = fullSnapshot();
    const personal = { email: 'jane@example.com', cellphone: '46701234567', person: 'Jane Doe' };
    const snapshot = fullSnapshot({
      contacts: contacts.map((contact) => ({
        ...contact,
        ...personal,
        targets: contact.targets.map((target) => ({ ...target, address: personal.email })),
      })),
      teams: teams.map((team) => ({ ...team, members: [personal] })),
    });

    const page = await freshPage(snapshot);

    expect(plainText(page, 'text')).toBe(plainText(await freshPage(fullSnapshot()), 'text'));
  });

  it('shorten the causes of an outage to 120 characters', async () => {
    const [recent] = fullSnapshot().recentOutages ?? [];
    const causeOf = async (cause: string) => {
      const recentOutages = recent && [{ ...recent, causes: [cause] }];
      const snapshot = fullSnapshot({ ...(recentOutages && { recentOutages }) });
      const [series] = await seriesOf(snapshot, 'recent_outage_start_timestamp_seconds', []);
      return /[^,]+(?= )/.exec(series ?? '')?.[0];
    };

    expect(await causeOf('é'.repeat(120))).toBe('é'.repeat(120));
    expect(await causeOf('é'.repeat(121))).toBe(`${'é'.repeat(119)}…`);
  });

  it('show none of what is not known', async () => {
    const snapshot = aSnapshot({ datasets: everyDataset() });

    for (const family of ['transactions', 'probes', 'contacts', 'teams', 'email_reports']) {
      expect(await seriesOf(snapshot, family, ['account'])).toEqual([]);
    }
  });
});
