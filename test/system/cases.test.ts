import { request } from 'undici';
import { expect, test } from 'vitest';
import { CaseService } from '../support/case-service.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;

interface Played {
  readonly exporter: RestartableExporter;
  readonly service: CaseService;
  /** The samples of a family: the labels in question to the value. */
  samples(family: string, label?: string): Promise<Readonly<Record<string, number>>>;
  /** A path of the exporter. */
  text(path: string): Promise<string>;
}

interface Case {
  /** The file in `test/system/cases`. */
  readonly name: string;
  /** What is true, as a sentence about the case. */
  readonly law: string;
  expect(played: Played): Promise<void>;
}

async function played(name: string): Promise<Played> {
  const services: CaseService[] = [];
  const exporter = await RestartableExporter.create({
    checks: 0,
    transactions: 0,
    service: (clock) => {
      services.push(new CaseService(name, clock));
      return (request, response) => services[0]?.listener(request, response);
    },
  });
  const [service] = services;
  if (service === undefined) throw new Error('the exporter has no service');
  await exporter.start();
  return {
    exporter,
    service,
    samples: async (family, label = 'name') => {
      const lines = (await exporter.page()).split('\n');
      const ofFamily = lines.filter((line) => line.startsWith(`${family}{`));
      return Object.fromEntries(
        ofFamily.map((line) => {
          const [, value = ''] = new RegExp(`[{,]${label}="([^"]*)"`).exec(line) ?? [];
          return [value, Number(line.slice(line.lastIndexOf(' ') + 1))];
        }),
      );
    },
    text: async (path) => (await request(`${exporter.url}${path}`)).body.text(),
  };
}

const cases: readonly Case[] = [
  {
    name: 'paused-and-slow',
    law: 'only a check that is up has a last response time',
    expect: async ({ exporter, samples, text }) => {
      await exporter.pass(3 * minute);
      expect(await samples('uptime_check_last_response_time_seconds')).toEqual({ Search: 0.24 });
      const compat = await text('/metrics?compat=giantswarm');
      expect(compat).toMatch(/pingdom_check_response_time\{[^}]*Search[^}]*\} 240\n/);
      expect(compat).toMatch(/pingdom_check_response_time\{[^}]*Archive[^}]*\} 0\n/);
      expect(compat).toMatch(/pingdom_check_response_time\{[^}]*Orders[^}]*\} 0\n/);
      const page = await text('/');
      expect(page).toContain('240 ms');
      expect(page).not.toMatch(/29\.9 s|7\.4 s|30 s/);
    },
  },
  {
    name: 'in-every-second-list',
    law: 'a check that every second list lacks stays, and its outage stays open',
    expect: async ({ exporter, samples }) => {
      await exporter.pass(minute);
      for (let times = 0; times < 30; times++) {
        await exporter.pass(20);
        expect(await samples('uptime_check_outage_open')).toEqual({ Payments: 1 });
        expect((await samples('uptime_check_up')).Payments).toBe(0);
      }
      expect(exporter.log.filter((line) => line.includes('removed'))).toEqual([]);
    },
  },
  {
    name: 'odd-values',
    law: 'words are read in any case, times are rounded, and an unknown word is counted and logged once',
    expect: async ({ exporter, samples }) => {
      await exporter.pass(5 * minute);
      expect(await samples('uptime_check_last_response_time_seconds')).toEqual({
        Text: 0.402,
        Fraction: 0.089,
        Capitals: 0.051,
        'check 66': 0.012,
      });
      const up = await samples('uptime_check_up');
      expect(up).toEqual({ Text: 1, Fraction: 1, Capitals: 1, 'check 66': 1 });
      expect(await samples('uptime_transaction_up')).toEqual({ Order: 1 });
      const page = await exporter.page();
      expect(page).toMatch(
        /rejected_entries_total\{[^}]*dataset="checks",reason="unknown_word"\} [1-9]/,
      );
      const lines = exporter.log.filter((line) => line.includes('unconfirmed_up'));
      expect(lines).toEqual([expect.stringContaining('status unconfirmed_up of 65 is not known')]);
      const types = exporter.log.filter((line) => line.includes('type that is not known'));
      expect(types).toEqual([expect.stringMatching(/type=browser id=65/)]);
    },
  },
  {
    name: 'odd-alerts',
    law: 'an alert counts at the reading that saw it, and alerts of unlisted checks are counted apart',
    expect: async ({ exporter, service, samples }) => {
      const readings = () => service.requests.get('/actions') ?? 0;
      while (readings() < 1) await exporter.pass(10);
      const sent = 'uptime_alerts_sent_total';
      while (!('email' in (await samples(sent, 'via')))) {
        expect(readings()).toBeLessThan(4);
        await exporter.pass(10);
      }
      expect(await samples(sent, 'via')).toMatchObject({ email: 0, sms: 0 });
      const read = readings();
      await exporter.pass(4 * minute);
      expect(readings() - read).toBeLessThan(2);
      expect(await samples(sent, 'via')).toMatchObject({ email: 1, sms: 1 });
      expect(await samples(sent, 'status')).toMatchObject({ no_credits: 1 });
      const page = await exporter.page();
      expect(page).toMatch(
        /rejected_entries_total\{[^}]*dataset="actions",reason="not_listed"\} 1\n/,
      );
    },
  },
  {
    name: 'maintenance-refused-once',
    law: 'after a refused list of maintenance the windows that were read are used, and the page says so',
    expect: async ({ exporter, service, samples, text }) => {
      while ((service.requests.get('/maintenance') ?? 0) < 2) await exporter.pass(30);
      await exporter.pass(10);
      expect(await samples('uptime_check_in_maintenance')).toEqual({ Billing: 1 });
      expect(await samples('uptime_exporter_maintenance_known', 'account')).toEqual({ shop: 1 });
      const page = await text('/');
      expect(page).toMatch(/Time is counted with the maintenance that was read at/);
      expect(page).not.toContain('as if there were no maintenance');
    },
  },
];

test.each(cases)('$name: $law', async (each) => {
  await each.expect(await played(each.name));
});
