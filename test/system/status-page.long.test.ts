import { expect, onTestFinished, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { faintTexts, keepScreenshot, overhang, viewports } from '../support/page-looks.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { urlOf } from '../support/served-url.ts';
import { missing } from '../support/tools.ts';

test.skipIf(missing('chromium'))(
  'after a day, the page of the demo account shows that day',
  async () => {
    const exporter = await RestartableExporter.create({ shortLimit: 400, longLimit: 72_000 });
    const { world } = exporter.sandbox;
    const from = (hours: number) => exporter.now + hours * 3_600;
    const [first, second, third, fourth] = world.checks.filter(({ type }) => type === 'http');
    for (const [check, start, end] of [
      [first, from(25.6), undefined],
      [second, from(8), from(8.7)],
      [second, from(14), from(14.2)],
      [second, from(19), from(19.4)],
      [third, from(11), from(16)],
      [fourth, from(22), from(22.3)],
    ] as const) {
      const to = end === undefined ? {} : { to: end };
      world.plant({ checkId: check?.id ?? 0, from: start, ...to, status: 'down' });
    }
    await exporter.start();
    await exporter.pass(26 * 3_600);
    const page = await openChromium();
    onTestFinished(() => page.close());

    const whole = { width: 1080, scheme: 'light' } as const;
    await page.open(urlOf(exporter.log), { ...whole, height: 1000 });
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    for (const { name, ...viewport } of [...viewports, { name: 'whole', ...whole, height }]) {
      await page.open(urlOf(exporter.log), viewport);
      await keepScreenshot(`demo-${name}`, page);
      expect(await page.evaluate(overhang)).toBe(0);
      expect(await page.evaluate(faintTexts)).toEqual([]);
    }
    const known = await page.evaluate(
      "[...document.querySelectorAll('.strips .sum')].filter(({ textContent }) => /% up/.test(textContent)).length",
    );
    expect(known).toBeGreaterThan(20);
    expect(await page.evaluate("document.querySelector('.strips .sum').textContent")).toMatch(
      /down once, 5 h/,
    );
    expect(await page.evaluate('document.body.innerText')).toMatch(
      /At the planned [\d.,]+ an hour/,
    );
  },
);
