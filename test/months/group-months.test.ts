import request from 'supertest';
import { expect, test } from 'vitest';
import { application, monthsOf, october } from './support/october.ts';

test('the months of a group say which availability is of the known time', async () => {
  const shop = monthsOf('shop', october);
  const months = shop.months.map((month) => ({
    ...month,
    groups: (month.groups ?? []).map((group) => ({
      ...group,
      unwatched: month.name === '2026-09' ? 500 : 0,
    })),
  }));
  const { text } = await request(application([{ ...shop, months }])).get('/report?month=2026-10');
  const table = text.slice(text.indexOf('class="report months"'));
  const words = table.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(words).toContain('99.9 % , met in the known part of the known time 99.865 % , missed');
  expect(words).not.toContain('missed of the known time');
});
