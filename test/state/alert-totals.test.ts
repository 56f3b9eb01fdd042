import { expect, test } from 'vitest';
import { startEventTally } from '../../src/tally/event-tally.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { shopState } from './support/shop.ts';

test('totals of alerts that begin again are of the time from then on', () => {
  const { alerts } = shopState({ clock: new VirtualClock() }).totals;
  alerts.restore({ ...startEventTally(100), counts: { '1 email sent': 3 } });

  alerts.beginAgain(200);

  expect(alerts.tally(300)).toEqual(startEventTally(200));
});
