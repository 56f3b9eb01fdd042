import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { Received } from '../support/chain-programs.ts';
import { missing, toolPath } from '../support/tools.ts';
import { scripts } from './chain-scripts.ts';
import { playScript } from './play-script.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'alertmanager');
const run = promisify(execFile);

test.skipIf(missing('amtool'))(
  'amtool accepts the receivers and finds their template',
  async () => {
    const { stdout } = await run(toolPath('amtool'), [
      'check-config',
      join(folder, 'receivers.yaml'),
    ]);
    expect(stdout).toContain('5 receivers');
    expect(stdout).toContain('1 templates');
  },
);

/** Every text with a template in the receivers, by the path of its key. */
function textsOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return value.includes('{{') ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsOf(one, `${path}.${key}`));
}

const { receivers } = parse(readFileSync(join(folder, 'receivers.yaml'), 'utf8'));
const texts = textsOf(receivers);

/** A message in the form that templates get: https://pkg.go.dev/github.com/prometheus/alertmanager/template#Data */
function templateData({ receiver, groupLabels, alerts }: Received) {
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  const isFiring = alerts.some(({ status }) => status === 'firing');
  return {
    receiver,
    groupLabels,
    status: isFiring ? 'firing' : 'resolved',
    commonLabels: { severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'https://alertmanager.example.com',
    alerts: alerts.map((alert) => ({
      ...alert,
      startsAt: time(alert.startsAt),
      endsAt: time(alert.endsAt),
    })),
  };
}

async function rendered(text: string, message: Received): Promise<string> {
  const data = join(await mkdtemp(join(tmpdir(), 'message-')), 'message.json');
  onTestFinished(() => rm(join(data, '..'), { recursive: true, force: true }));
  await writeFile(data, JSON.stringify(templateData(message)));
  const { stdout } = await run(toolPath('amtool-0.31'), [
    'template',
    'render',
    `--template.glob=${join(folder, 'uptime.tmpl')}`,
    `--template.text=${text}`,
    `--template.data=${data}`,
  ]);
  return stdout;
}

const title = '{{ template "uptime.title" . }}';
const text = '{{ template "uptime.text" . }}';

const single = 'A check is down for 2 minutes beside one that stays down';
const mass = 'Twelve checks of 40 go down at once and come back at once';

test.skipIf(missing('amtool-0.31'))(
  'the title of a mass outage has words for a newest alert that is about no single check',
  async () => {
    const alert = (alertname: string, summary: string, startsAt: number) => ({
      status: 'firing',
      labels: { alertname, account: 'shop' },
      annotations: { summary },
      startsAt,
      endsAt: 0,
    });
    const alerts = [
      alert('UptimeManyChecksDown', 'Many checks in shop have been down since 10:00', 1),
      alert('UptimeChecksMissing', 'Checks of shop are missing', 2),
    ];
    expect(await rendered(title, { at: 2, receiver: 'pager', groupLabels: {}, alerts })).toBe(
      'Many checks in shop have been down since 10:00: Checks of shop are missing',
    );
  },
);

/** Without the name of the check and the time of day, which differ from seed to seed. */
const pattern = (rendering: string) =>
  rendering
    .replaceAll(/\d\d:\d\d UTC on \d+ \w+/g, 'TIME')
    .replace(/^(Resolved: )?.*? went down/, '$1NAME went down')
    .replace(/TIME: .*? and/, 'TIME: NAME and');

describe.skipIf(
  missing('amtool-0.31') || missing('rule-evaluator-3') || missing('alert-dispatcher'),
)('messages of the chain', () => {
  /** What was received in each script, which is played once. */
  const played = new Map<string, readonly Received[]>();

  async function messagesOf(name: string): Promise<readonly Received[]> {
    const known = played.get(name);
    if (known !== undefined) return known;
    const script = scripts.find((one) => one.name === name);
    if (script === undefined) throw new Error(`there is no script ${name}`);
    const messages = await (await playScript(script)).received('rule-evaluator-3');
    played.set(name, messages);
    return messages;
  }

  test.each([
    [
      single,
      [
        'NAME went down at TIME',
        'NAME went down at TIME, and 1 more',
        'NAME went down at TIME; 1 resolved',
        'Resolved: NAME went down at TIME',
      ],
    ],
    [
      mass,
      [
        'Many checks in account have been down since TIME: NAME and 11 more',
        'Resolved: NAME went down at TIME, and 11 more',
        'Resolved: Many checks in account have been down since TIME',
      ],
    ],
  ])('%s: the title shows what is down', async (name, titles) => {
    const shown: string[] = [];
    for (const message of await messagesOf(name)) {
      if (message.receiver === 'pager') shown.push(pattern(await rendered(title, message)));
    }
    expect(shown).toEqual(titles);
  });

  test('the text lists what is down before what is resolved, each with its link', async () => {
    const message = (await messagesOf(single)).find(
      ({ alerts }) => new Set(alerts.map((one) => one.status)).size > 1,
    );
    if (message === undefined) throw new Error('no message has both');

    const lines = (await rendered(text, message)).split('\n');

    expect(lines).toEqual([
      expect.stringMatching(/ went down at /),
      expect.stringMatching(/^Host \S+ in account account\./),
      expect.stringMatching(/^http:\/\/exporter:9158\/accounts\/account\/checks\/\d+$/),
      '',
      expect.stringMatching(/^Resolved after \d+m\d+s: .* went down at /),
      expect.stringMatching(/^http:\/\/exporter:9158\/accounts\/account\/checks\/\d+$/),
    ]);
  });

  test('every receiver has its texts of every message', async () => {
    expect(texts.map(([path]) => path)).toEqual(
      expect.arrayContaining(['.0.slack_configs.0.title', '.1.pagerduty_configs.0.description']),
    );
    const messages = [...(await messagesOf(single)), ...(await messagesOf(mass))];
    for (const message of messages) {
      for (const [path, one] of texts) {
        const shown = await rendered(one, message);
        expect(shown, path).not.toMatch(/<no value>|\{\{/);
        if (/title|message|description|Subject/.test(path)) expect(shown, path).not.toBe('');
        if (/title|message|Subject/.test(path)) expect(shown, path).not.toContain('\n');
      }
    }
  });
});
