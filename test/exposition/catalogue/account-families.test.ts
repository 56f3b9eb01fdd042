import { describe, expect, it } from 'vitest';
import { freshPage, plainText } from '../support/rendering.ts';
import { seriesOf } from '../support/series.ts';
import { aSnapshot, everyDataset, fullSnapshot } from '../support/snapshots.ts';

const ofAccount = (family: string) => seriesOf(fullSnapshot(), family, ['account']);

describe('families of the account', () => {
  it.each([
    ['transactions', ['successful 1', 'failing 1', 'unknown 0']],
    ['probe_info', ['33,Stockholm 2,SE,Stockholm,EU 1', '34,Nowhere,,, 1']],
    ['probes', ['true 1', 'false 0', 'unknown 1']],
    ['maintenance_window_info', ['5,say "hi"\\\nand leave,week 1', '6,,none 1']],
    ['maintenance_window_start_timestamp_seconds', ['5 1700000000', '6 1710000000']],
    ['maintenance_window_end_timestamp_seconds', ['5 1700003600', '6 1710003600']],
    ['maintenance_active', ['5 1', '6 0']],
    ['alerts_sent_total', ['1,check 1,email,sent 4', '1,check 1,sms,no_credits 1']],
    ['contacts', ['user,true 0', 'user,false 1', 'contact,true 1', 'contact,false 0']],
    ['teams', ['2']],
    ['team_members', ['11,on "call"\n\\ 3']],
    ['account_clock_offset_seconds', ['-2']],
    ['email_reports', ['daily 0', 'weekly 1', 'monthly 0', 'unknown 0']],
    ['public_reports', ['2']],
    ['shared_reports', ['1']],
  ])('%s', async (family, series) => {
    expect(await ofAccount(family)).toEqual(series);
  });

  it('add up the targets of all contacts', async () => {
    const targets = await ofAccount('contact_targets');

    expect(targets).toHaveLength(14);
    expect(targets.filter((line) => !line.endsWith(' 0'))).toEqual(['email,high 3', 'sms,high 1']);
  });

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

  it('show none of what is not known', async () => {
    const snapshot = aSnapshot({ datasets: everyDataset() });

    for (const family of ['transactions', 'probes', 'contacts', 'teams', 'email_reports']) {
      expect(await seriesOf(snapshot, family, ['account'])).toEqual([]);
    }
  });
});
