import { expect, test } from 'vitest';
import { createService } from '../../src/api/versions.ts';

const transport = { baseUrl: 'https://api.example.com', get: async () => ({}) };

test.each([
  ['3.1', true, false, true, true],
  ['2.1', false, true, true, true],
  ['2.0', false, true, false, true],
] as const)(
  'speaks version %s, and knows what that can be asked for',
  (version, transactions, serverTime, teams, contacts) => {
    const service = createService({ version, reader: transport });

    expect(service).toMatchObject({ version, baseUrl: 'https://api.example.com' });
    expect(service.capabilities.has('list_transactions')).toBe(transactions);
    expect(service.capabilities.has('get_server_time')).toBe(serverTime);
    expect(service.capabilities.has('list_teams')).toBe(teams);
    expect(service.capabilities.has('list_contacts')).toBe(contacts);
  },
);
