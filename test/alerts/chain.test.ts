import { describe, expect, test } from 'vitest';
import type { RuleEvaluator } from '../support/chain-programs.ts';
import { extent } from '../support/extent.ts';
import { missing } from '../support/tools.ts';
import { expectedMessages } from './chain-messages.ts';
import { isNews } from './chain-news.ts';
import { prometheusStops, scripts } from './chain-scripts.ts';
import { documentedMessages, playScript } from './play-script.ts';

const newest: RuleEvaluator = 'rule-evaluator-3';
const evaluators: readonly RuleEvaluator[] = extent([newest], [newest, 'rule-evaluator-2']);
const isMissing = [...evaluators, 'alert-dispatcher' as const].some(missing);

test('every script has its messages, and no other has', () => {
  expect(Object.keys(expectedMessages).sort()).toEqual(scripts.map(({ name }) => name).sort());
});

test('docs/alerting.md shows messages of scripts', () => {
  const documented = Object.entries(documentedMessages());
  expect(documented.length).toBeGreaterThan(10);
  for (const [name, messages] of documented) expect(messages, name).toEqual(expectedMessages[name]);
});

test.skipIf(isMissing)(
  'the heartbeat arrives every few minutes, and ends within 20 after Prometheus',
  async () => {
    const life = await playScript(prometheusStops);
    const minutes = await life.heartbeats(newest);
    const gaps = minutes.map((at, place) => at - (minutes[place - 1] ?? -30));

    expect(Math.max(...gaps)).toBeLessThanOrEqual(6);
    expect(minutes.at(-1)).toBeLessThanOrEqual(20);
  },
);

test('every outage is reported while it is open', () => {
  const hidden = Object.values(expectedMessages)
    .flat()
    .filter((message) => message.includes('nobody'));
  expect(hidden).toEqual([]);
});

/**
 * Prometheus repeats a resolution after 5 and 10 minutes. If its group is open and has sent another
 * one in between, Alertmanager sends it again. A longer group interval would merge these messages,
 * and hide outages.
 */
test('a message without news is a reminder, or repeats one of several resolutions of an open group', () => {
  const withoutNews = Object.entries(expectedMessages).flatMap(([name, messages]) =>
    messages
      .filter((message) => !isNews(message))
      .map((message) => `${name}: ${message.replace(/^\d+ /, '')}`),
  );
  expect(withoutNews.sort()).toEqual([
    'A check goes down for 5 minutes every 10 minutes, six times: pager: again',
    ...Array(5).fill(
      'Four checks are down at the same time, and come back one after another: pager: ~CheckDown',
    ),
  ]);
});

interface Planted {
  readonly script: string;
  /** What the rules no longer do. */
  readonly fault: string;
  readonly from: string;
  readonly to: string;
}

/** Faults in the rules that a script notices. */
const planted: readonly Planted[] = [
  {
    fault: 'keep an outage open while the exporter is away',
    script: 'A check is down, the exporter is killed; it is down throughout',
    from: 'last_over_time(uptime:check_down:start_timestamp_seconds[30m])',
    to: 'last_over_time(uptime:none:start_timestamp_seconds[30m])',
  },
  {
    fault: 'end an outage that the exporter knows to be over',
    script: 'A check is down, the exporter is killed; it recovers meanwhile',
    from: ' unless on (job, account, check_id) uptime_check_outage_open unless on (job, instance, account) uptime_outages_open{kind="check"})',
    to: ')',
  },
  {
    fault: 'report flapping as one outage',
    script: 'A check goes down for 5 minutes every 10 minutes, six times',
    from: '2 * (uptime_check_flapping == 1)',
    to: '2 * (uptime_check_flapping == 2)',
  },
  {
    fault: 'report many checks as one cause',
    script: 'Twelve checks of 40 go down at once and come back at once',
    from: '(uptime:check_down:start_timestamp_seconds) >= 5',
    to: '(uptime:check_down:start_timestamp_seconds) >= 13',
  },
  {
    fault: 'report an exporter that does not answer',
    script: 'A check is down, the exporter is killed; it is down throughout',
    from: 'up{job="uptime"} == 0',
    to: 'up{job="uptime"} == 2',
  },
];

/** Every third script for each change, and those that notice a fault; all at night. */
const played = scripts
  .filter(({ name }, place) =>
    extent(place % 3 === 0 || planted.some(({ script }) => script === name), true),
  )
  .map((script) => [script.name, script] as const);

describe('the expected messages arrive, and not with a fault in the rules', () => {
  test.skipIf(isMissing).each(played)('%s', async (name, script) => {
    const life = await playScript(script);
    for (const evaluator of evaluators) {
      const messages = await life.messages(evaluator);
      expect(messages, evaluator).toEqual(expectedMessages[name]);
    }
    for (const { fault, from, to } of planted.filter((one) => one.script === name)) {
      let places = 0;
      const messages = await life.messages(newest, (rules) => {
        if (rules.includes(from)) places += 1;
        return rules.replace(from, to);
      });
      expect(places, `${fault}: a place in the rules`).toBe(1);
      expect(messages, `the rules do not ${fault}`).not.toEqual(expectedMessages[name]);
    }
  });
});
