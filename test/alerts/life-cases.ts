import { perAccount } from './alert-case.ts';
import type { Input, RuleCase } from './promtool-rules.ts';
import { type Life, type Truth, values, watchedLife } from './watched-life.ts';

/** Minutes between two tests of a check. */
export const resolutions = [1, 5, 15, 30, 60] as const;

/** The alerts that fire at a minute, as `alert severity`, or with the check's name at the end. */
type Firing = Readonly<Record<number, readonly string[]>>;

interface Scenario {
  readonly input: Input;
  readonly firing: Firing;
}

const down = 'UptimeCheckDown warning';
const wasDown = 'UptimeCheckWasDown info';
const spending = 'UptimeCheckErrorBudgetBurn warning';

/** At minute 60, when a check of every resolution is tested. */
const begin = 60;
const upBut =
  (from: number, to: number, otherwise: Truth = 'down') =>
  (minute: number): Truth =>
    minute >= from && minute < to ? otherwise : 'up';

function watching({ watched = () => true, minutes }: Pick<Life, 'watched' | 'minutes'>): Input {
  const every = Array.from({ length: minutes }, (_, minute) => minute);
  return {
    [perAccount('uptime_outages_open', { kind: 'check' })]: values(
      every.map((minute) => (watched(minute) ? 1 : undefined)),
    ),
  };
}

function watchedAlone(life: Life): Input {
  return { ...watching(life), ...watchedLife(life) };
}

const scenarios: Readonly<Record<string, (resolution: number) => Scenario>> = {
  'a long outage': (resolution) => ({
    input: watchedAlone({ resolution, minutes: 420, truth: upBut(begin, begin + 180) }),
    firing: {
      [begin - 1]: [],
      [begin]: [down],
      [begin + 20]: [down],
      [begin + 100]: [down, spending],
      [begin + 179]: [down, spending],
      [begin + 181]: [spending],
      [begin + 230]: [spending],
    },
  }),
  'a short outage': (resolution) => ({
    input: watchedAlone({ resolution, minutes: 300, truth: upBut(begin, begin + resolution) }),
    firing: {
      [begin - 1]: [],
      [begin]: [down],
      [begin + resolution]: [],
      // An outage that uses less than three quarters of the month's budget sends one alert.
      [begin + resolution + 30]: resolution > 43 * 0.75 ? [spending] : [],
    },
  }),
  'a gap that is filled in one step': (resolution) => {
    const life: Life = {
      resolution,
      minutes: 360,
      truth: upBut(begin + 60, begin + 60 + resolution),
      watched: (minute) => minute < begin || minute >= begin + 180,
    };
    return {
      input: watchedAlone(life),
      firing: {
        [begin + 100]: [],
        [begin + 180]: [],
        [begin + 188]: [wasDown],
        [begin + 230]: resolution > 43 * 0.75 ? [spending, wasDown] : [wasDown],
      },
    };
  },
  'a gap that begins in an outage and ends after it': (resolution) => {
    const life: Life = {
      resolution,
      minutes: 360,
      truth: upBut(begin, begin + 120),
      watched: (minute) => minute < begin + 10 || minute >= begin + 200,
    };
    return {
      input: watchedAlone(life),
      firing: {
        [begin + 5]: [down],
        [begin + 100]: [down],
        [begin + 199]: [down],
        [begin + 201]: [],
        [begin + 220]: [spending],
      },
    };
  },
  'a young check': (resolution) => ({
    input: watchedAlone({
      resolution,
      minutes: 300,
      truth: (minute) => {
        if (minute < begin) return 'gone';
        return minute === begin || (minute > begin && minute < begin + 2) ? 'down' : 'up';
      },
    }),
    firing: {
      [begin]: [down],
      // A window counts as at least half of its length, so the outage that uses three quarters of
      // the budget is half as long.
      [begin + resolution + 20]: resolution > 43 * 0.375 ? [spending] : [],
    },
  }),
  'a check that is paused while it is down': (resolution) => ({
    input: watchedAlone({
      resolution,
      minutes: 300,
      truth: (minute) => {
        if (minute < begin) return 'up';
        return minute < begin + 20 ? 'down' : 'paused';
      },
    }),
    firing: { [begin]: [down], [begin + 20]: [], [begin + 60]: [] },
  }),
  'maintenance that begins in an outage': (resolution) => ({
    input: watchedAlone({
      resolution,
      minutes: 400,
      truth: (minute) => {
        if (minute < begin || minute >= begin + 240) return 'up';
        return minute >= begin + 10 && minute < begin + 120 ? 'maintenance' : 'down';
      },
    }),
    firing: {
      [begin]: [down],
      [begin + 10]: [],
      [begin + 100]: [],
      // It is still down when the maintenance ends.
      [begin + 121]: [down],
      [begin + 170]: [down, spending],
      [begin + 241]: [spending],
      [begin + 260]: [spending],
    },
  }),
  'a check that is renamed while it is down': (resolution) => {
    const before: Life = {
      resolution,
      minutes: 300,
      truth: (minute) => {
        if (minute < begin) return 'up';
        return minute < begin + 20 ? 'down' : 'gone';
      },
    };
    const after: Life = {
      resolution,
      minutes: 300,
      labels: { name: 'Home page' },
      history: upBut(begin, begin + 60),
      truth: (minute) => {
        if (minute < begin + 20) return 'gone';
        return minute < begin + 60 ? 'down' : 'up';
      },
    };
    return {
      input: { ...watching(before), ...watchedLife(before), ...watchedLife(after) },
      firing: {
        [begin]: [`${down} Front page`],
        [begin + 21]: [`${down} Home page`],
        [begin + 121]: [`${spending} Home page`],
      },
    };
  },
  'a check that is deleted while it is down and made again': (resolution) => {
    const first: Life = {
      resolution,
      minutes: 300,
      truth: (minute) => {
        if (minute < begin) return 'up';
        return minute < begin + 20 ? 'down' : 'gone';
      },
    };
    const second: Life = {
      resolution,
      minutes: 300,
      labels: { check_id: '8' },
      truth: (minute) => (minute < begin + 60 ? 'gone' : 'up'),
    };
    return {
      input: { ...watching(first), ...watchedLife(first), ...watchedLife(second) },
      firing: { [begin]: [down], [begin + 20]: [], [begin + 100]: [] },
    };
  },
  'two exporters, one of which is killed': (resolution) => {
    const killed: Life = {
      resolution,
      minutes: 300,
      truth: upBut(begin, begin + 240),
      watched: (minute) => minute < begin + 10,
    };
    const other = { instance: 'other:9158', account: 'blog' };
    const alive: Life = {
      resolution,
      minutes: 300,
      labels: other,
      truth: upBut(begin, begin + 60),
    };
    return {
      input: {
        ...watching(killed),
        [perAccount('uptime_outages_open', { ...other, kind: 'check' })]: '1x300',
        ...watchedLife(killed),
        ...watchedLife(alive),
      },
      firing: {
        [begin + 1]: [`${down} blog`, `${down} shop`],
        [begin + 59]: [`${down} blog`, `${spending} blog`, `${down} shop`],
        [begin + 61]: [`${down} shop`, `${spending} blog`],
        [begin + 200]: [`${down} shop`, `${spending} blog`],
      },
    };
  },
};

/** The labels that distinguish alerts here. */
const firingNow =
  'count by (alertname, severity, name, account) (ALERTS{alertname=~"UptimeCheck.+", alertstate="firing"})';

/** Every life of a check with this interval between tests. */
export function lifeCases(resolutions: readonly number[]): readonly RuleCase[] {
  return Object.entries(scenarios).flatMap(([what, scenario]) =>
    resolutions.map((resolution): RuleCase => {
      const { input, firing } = scenario(resolution);
      return {
        name: `${what}, tested every ${resolution} min`,
        files: ['alerts/uptime.yaml'],
        input,
        expressions: Object.entries(firing).map(([minute, told]) => ({
          expr: firingNow,
          at: `${minute}m`,
          samples: told.map(sampleOf),
        })),
      };
    }),
  );
}

function sampleOf(told: string) {
  const [alertname = '', severity = '', ...more] = told.split(' ');
  const rest = more.join(' ');
  const isAccount = rest === 'blog' || rest === 'shop';
  const pairs = {
    account: isAccount ? rest : 'shop',
    alertname,
    name: rest === '' || isAccount ? 'Front page' : rest,
    severity,
  };
  const labels = Object.entries(pairs).map(([label, value]) => `${label}="${value}"`);
  return { labels: `{${labels.join(',')}}`, value: 1 };
}
