import { expect, it, test } from 'vitest';
import type { RangeAverage } from '../../../src/domain/averages.ts';
import { catalogue } from '../../../src/exposition/catalogue/catalogue.ts';
import type { AccountState } from '../../../src/state/account-state.ts';
import { freshPage, samplesOf } from '../../exposition/support/rendering.ts';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';
import { VirtualClock, wholeSecond } from '../../support/virtual-clock.ts';
import { noEvents, shopState } from '../support/shop.ts';
import { storedOf } from '../support/stored-state.ts';

const day = 86_400;
const planned = 10 * day;

/** Gauges of a past that ends when they are read: the length of that past, by `window` or for all series. */
const spans: Readonly<Record<string, number | Readonly<Record<string, number>>>> = {
  uptime_check_uptime_ratio: { '24h': day, '7d': 7 * day, '30d': 30 * day },
  uptime_check_average_response_time_seconds: { '24h': day, '7d': 7 * day, '30d': 30 * day },
  uptime_check_country_average_response_time_seconds: day,
  uptime_check_hour_of_day_average_response_time_seconds: 7 * day,
  uptime_check_active_probes: day,
};

/** Gauges of a past whose end another series has. */
const dated: Readonly<Record<string, RegExp>> = {
  uptime_exporter_counted_until_timestamp_seconds: /_(error|burn)_(ratio|rate)$|_remaining_ratio$/,
  uptime_check_hourly_start_timestamp_seconds: /^uptime_check_hourly_/,
  uptime_transaction_hourly_start_timestamp_seconds: /^uptime_transaction_(hourly|step)_/,
  uptime_exporter_rate_limit_reset_timestamp_seconds: /^uptime_exporter_rate_limit_/,
};

it('has an end or a longest age for each gauge that says how long a past it describes', () => {
  const isOfPast =
    /\baverage\b|\bwithin a day\b|\bover (the|\d)|\bin the (last \w+ hour|last \d|hour|window)|\bof the window/i;
  const families = catalogue.flatMap((section) => section.families);
  const unbound = families
    .filter(
      ({ type, labels, help }) =>
        type === 'gauge' && (labels.includes('window') || isOfPast.test(help)),
    )
    .map(({ name }) => name)
    .filter(
      (name) => spans[name] === undefined && !Object.values(dated).some((of) => of.test(name)),
    );

  expect(unbound).toEqual([]);
});

test('a figure is shown exactly until it is older than the past that it describes', async () => {
  const age = fc.oneof(fc.nat(40 * day), fc.constantFrom(day, day + 1, 7 * day, 7 * day + 1));
  await fc.assert(
    fc.asyncProperty(age, fc.boolean(), async (ageSeconds, isRestored) => {
      const clock = new VirtualClock(wholeSecond);
      const state = await accountWithFigures(clock);
      clock.suspend(ageSeconds * 1000);
      const shown = isRestored ? restoredFrom(state, clock) : state;
      const page = await freshPage(shown.snapshot());
      for (const [name, span] of Object.entries(spans)) {
        const limits = typeof span === 'number' ? [span] : Object.values(span);
        const spanOf = ({ window = '' }: Readonly<Record<string, string>>) =>
          typeof span === 'number' ? span : span[window];
        const samples = samplesOf(page, name);
        const fresh = limits.filter((limit) => ageSeconds <= Math.min(limit, 3 * planned));
        const spansShown = samples.map(({ labels }) => spanOf(labels));

        expect([name, new Set(spansShown)]).toEqual([name, new Set(fresh)]);
      }
    }),
    { numRuns: extent(30, 300) },
  );
});

function anAccount(clock: VirtualClock): AccountState {
  const state = shopState({ clock });
  state.datasets.planned(
    new Map([
      ['checks', planned],
      ['average', planned],
      ['hours_of_day', planned],
      ['active_probes', planned],
    ]),
  );
  return state;
}

async function accountWithFigures(clock: VirtualClock): Promise<AccountState> {
  const state = anAccount(clock);
  const now = clock.now() / 1000;
  const check = { id: 1, name: 'a', type: 'http', status: 'up', tags: [] } as const;
  state.list('check', [{ ...check, lastTestAtSeconds: now, resolutionSeconds: 60 }], () => ({
    states: { startSeconds: now, horizonSeconds: now, state: 'up', resolutionSeconds: 60 },
    ...noEvents(now),
  }));
  const figures = { uptimeRatio: 1, responseTimeSeconds: 1 };
  const average = (window: RangeAverage['window'], byCountry: RangeAverage['byCountry'] = []) =>
    state.setDetail('check', 1, `average${window}`, { window, ...figures, byCountry });
  average('24h', [{ countryIso: 'SE', responseTimeSeconds: 1 }]);
  average('7d');
  average('30d');
  state.setDetail('check', 1, 'hoursOfDay', [{ hour: 0, responseTimeSeconds: 1 }]);
  state.setDetail('check', 1, 'activeProbes', 5);
  for (const dataset of ['checks', 'average', 'hours_of_day', 'active_probes'] as const) {
    state.succeeded(dataset, 1);
  }
  return state;
}

function restoredFrom(state: AccountState, clock: VirtualClock): AccountState {
  const restored = anAccount(clock);
  restored.restore(storedOf(state));
  return restored;
}
