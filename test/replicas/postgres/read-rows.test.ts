import { expect, test } from 'vitest';
import { readRows } from '../../../src/replicas/postgres/schema.ts';
import type { Session } from '../../../src/replicas/postgres/session.ts';

test('an account of any size is read', async () => {
  const row = { kind: 'check', id: 1, body: '{}', crc: '0' };
  const rows = Array.from({ length: 200_000 }, () => row);
  const session = {
    query: async (text: string) => (text.includes('uptime_exporter.row') ? rows : []),
  };
  const read = await readRows(session as unknown as Session, 'shop');

  expect(read).toHaveLength(rows.length);
});
