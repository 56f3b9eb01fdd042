import { expect, test } from 'vitest';
import type { PublicState, PublicStatus } from '../../../src/http/public/public-status.ts';
import { headline } from '../../../src/http/public/public-words.ts';

const status: PublicStatus = {
  ...{ title: 'Shop', nowSeconds: 1_000, isLate: false, isIncomplete: false },
  ...{ services: [], furtherServices: 0, states: [], outages: [], furtherOutages: 0 },
  ...{ arePastsKnown: true, plannedWork: [] },
};

test.each<[text: string, states: readonly PublicState[], rest?: Partial<PublicStatus>]>([
  ['All services are up', ['up', 'up']],
  ['All monitored services are up', ['up', 'not_monitored']],
  ['No service is monitored', ['not_monitored', 'not_monitored']],
  ['1 of 4 services is down', ['up', 'down', 'unconfirmed_down', 'unknown']],
  ['2 of 3 services are down', ['down', 'down', 'planned_work']],
  ['1 of 3 services may be down', ['unconfirmed_down', 'unknown', 'planned_work']],
  ['The state of 1 of 2 services is unknown', ['unknown', 'planned_work']],
  ['Planned work is under way', ['planned_work', 'up'], { isIncomplete: true }],
  ['The state of some services is not known', ['up'], { isIncomplete: true }],
  ['Not known since 900', ['down'], { blind: { sinceSeconds: 900 } }],
  ['Not known yet', ['down'], { blind: { sinceSeconds: undefined } }],
])('the headline is "%s"', (text, states, rest) => {
  expect(headline({ ...status, states, ...rest }, String).text).toBe(text);
});
