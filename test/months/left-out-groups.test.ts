import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { accountsByState, healthySnapshot } from '../support/snapshots.ts';
import { application, monthsOf, october } from './support/october.ts';

const statusWith = (groupsLeftOut: readonly string[]) => {
  const snapshot = { ...healthySnapshot({}), account: 'shop', groupsLeftOut };
  return { accounts: () => [{ ...accountsByState.ok, snapshot }] };
};
const app = application([monthsOf('shop', october), monthsOf('lab', october)], {
  status: statusWith(['shop']),
});
const get = (path: string) => request(app).get(path);

describe('a group beyond max_groups', () => {
  test('has no row in the report, of its account alone', async () => {
    const { groups, groups_left_out: leftOut } = (await get('/report.json')).body;
    expect(groups).toMatchObject([{ account: 'lab', name: 'shop' }]);
    expect(leftOut).toEqual(['shop']);
    const { text } = await get('/report.csv?account=shop');
    expect(text).not.toMatch(/\r\n2026-10,UTC,group/);
  });

  test.each(['/report', '/report.txt'])('is named in %s', async (path) => {
    const { text } = await get(path);
    expect(text).toContain('1 more group is left out, because of max_groups: shop.');
  });

  test('is refused when it is asked for', async () => {
    const { status, text } = await get('/report.json?account=shop&group=shop');
    expect(status).toBe(400);
    expect(text).toContain('the group "shop" is left out');
    expect((await get('/report.json?account=lab&group=shop')).status).toBe(200);
  });
});
