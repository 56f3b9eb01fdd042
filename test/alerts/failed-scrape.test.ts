import { describeWith, promtools } from '../support/promtools.ts';
import type { AlertCase } from './alert-case.ts';
import { checkCases } from './check-cases.ts';
import { otherCases } from './other-cases.ts';
import { type Input, type RuleCase, testCases } from './promtool-rules.ts';

/** The series that Prometheus itself has of a failed scrape. */
const ofPrometheus = /^(up|scrape_duration_seconds)\b/;

/** The values of each minute, in the notation of promtool; `_` where there is none. */
function eachMinute(values: string): string[] {
  return values.split(' ').flatMap((part) => {
    const [, value = '', step = '0', more] =
      /^(_|stale|-?[\d.]+)([+-][\d.]+)?(?:x(\d+))?$/.exec(part) ?? [];
    if (value === '_') return Array<string>(Number(more ?? 1)).fill('_');
    if (value === 'stale') return [value];
    const count = Number(more ?? 0) + 1;
    return Array.from({ length: count }, (_, at) => `${Number(value) + at * Number(step)}`);
  });
}

/** What Prometheus has if a scrape of the exporters fails in this minute. */
function failing(input: Input, minute: number): Input {
  return Object.fromEntries(
    Object.entries(input).map(([series, values]) => {
      if (ofPrometheus.test(series)) return [series, values];
      const all = eachMinute(values);
      const isMissing = (all[minute] ?? '_') === '_';
      return [
        series,
        all.map((one, at) => (at === minute && !isMissing ? 'stale' : one)).join(' '),
      ];
    }),
  );
}

const minutesOf = (time: string) =>
  Number(time.slice(0, -1)) * (time.endsWith('d') ? 1440 : time.endsWith('h') ? 60 : 1);

function caseOf({ alert, when, input, firing }: AlertCase): RuleCase {
  const minute = minutesOf(firing);
  return {
    name: `${alert} goes on after a failed scrape when ${when}`,
    input: failing(input, minute + 1),
    expressions: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
        at: `${minute + 2}m`,
        samples: [{ labels: '{}', value: 1 }],
      },
    ],
  };
}

const cases = [...checkCases, ...otherCases]
  .filter(({ firing, resolved }) => minutesOf(resolved) > minutesOf(firing) + 3)
  .map(caseOf);

describeWith(promtools().slice(-1))('by promtool $version', ({ path }) => testCases(path, cases));
