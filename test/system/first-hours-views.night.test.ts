import { expect, onTestFinished, test } from 'vitest';
import { type BrowserPage, openChromium } from '../support/chromium.ts';
import { casesOf } from '../support/extent.ts';
import { type FirstHoursAccount, plantPast } from '../support/first-hours.ts';
import {
  accessibilityFindings,
  faintTexts,
  keepScreenshot,
  overhang,
} from '../support/page-looks.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { missing } from '../support/tools.ts';

const looks = [
  { look: 'light', width: 1280, height: 1180, scheme: 'light' },
  { look: 'dark', width: 1280, height: 1180, scheme: 'dark' },
  { look: 'phone', width: 390, height: 844, scheme: 'light' },
] as const;

interface Case extends FirstHoursAccount {
  readonly hours: readonly number[];
}

const [minute, hour, day] = [1 / 60, 1, 24];
const cases: readonly Case[] = [
  { checks: 30, open: 4, recent: 5, old: 8, hours: [minute, hour] },
  { checks: 200, open: 12, recent: 30, old: 90, hours: [minute, hour, day] },
  { checks: 25_000, open: 150, recent: 900, old: 5_000, hours: [minute, hour] },
];

async function expectGoodLooks(page: BrowserPage, url: string, name: string): Promise<void> {
  for (const { look, ...viewport } of looks) {
    await page.open(url, viewport);
    await keepScreenshot(`${name}-${look}`, page);
    expect([await page.evaluate(overhang), await page.evaluate(faintTexts)]).toEqual([0, []]);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(page.complaints).toEqual([]);
  }
}

test.skipIf(missing('chromium')).each(casesOf(cases, 0))(
  'the views of $checks checks are small, legible and accessible in the first hours',
  async ({ hours, ...account }) => {
    const { checks } = account;
    const page = await openChromium();
    onTestFinished(() => page.close());
    const limits = { shortLimit: 400, longLimit: 72_000 };
    const exporter = await RestartableExporter.create({ checks, transactions: 3, ...limits });
    plantPast(exporter, account);
    const [start, down] = [exporter.now, exporter.sandbox.world.checks[0]?.id];
    await exporter.start();
    for (const passed of hours) {
      while (exporter.now < start + passed * 3_600) {
        await exporter.pass(Math.min(300, start + passed * 3_600 - exporter.now));
      }
      for (const [view, path] of [
        ['home', '/'],
        ['month', '/?window=30d&size=100'],
        ['check', `/checks/${down}`],
      ] as const) {
        const url = `${exporter.url}${path}`;
        expect(Buffer.byteLength(await (await fetch(url)).text())).toBeLessThan(200_000);
        await expectGoodLooks(page, url, `${checks}-${Math.round(passed * 60)}-minutes-${view}`);
      }
    }
  },
);
