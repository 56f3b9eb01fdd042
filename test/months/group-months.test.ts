import { renderToString } from 'preact-render-to-string';
import request from 'supertest';
import { expect, test } from 'vitest';
import type { AccountMonths } from '../../src/months/account-months.ts';
import { groupMonthsPart } from '../../src/months/http/group-part.tsx';
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

test.each([
  ['shop', 'href="/report?month=2026-10&amp;account=main&amp;group=shop">Report of October 2026<'],
  ['new', 'href="/report?month=2026-11&amp;account=main&amp;group=new">Report of November 2026<'],
])('the view of the group %s leads to the last report that has it', (group, link) => {
  const months = monthsOf('main', october) as unknown as AccountMonths;
  const { body } = groupMonthsPart(months, group, (path) => `/${path}`);
  expect(renderToString(body)).toContain(link);
});
