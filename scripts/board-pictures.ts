// Takes pictures of the dashboards for the documentation, from a Grafana that has them and allows
// anonymous reading, such as the one of deploy/compose.yaml:
//   npm run pictures:boards -- http://localhost:3000 'from=now-1h&to=now'
// The browser is 1366 pixels wide with the menu docked, and the picture omits the menu.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { openChromium } from '../test/support/chromium.ts';

/** The names of their files, and the last panel that is shown. */
const pictures = [
  { name: 'board-overview', uid: 'uptime-overview', last: 'Last outages', scheme: 'light' },
  { name: 'board-check', uid: 'uptime-check', last: 'Error budget left', scheme: 'light' },
  { name: 'board-objectives', uid: 'uptime-slo', last: 'worst first', scheme: 'dark' },
] as const;
const rectangle = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const [address, query = 'from=now-1h&to=now'] = process.argv.slice(2);
if (address === undefined) throw new Error('the address of a Grafana is missing');

const page = await openChromium();
try {
  for (const { name, uid, last, scheme } of pictures) {
    const viewport = { width: 1366, height: 2400, scheme };
    await page.open(`${address}/robots.txt`, viewport);
    await page.evaluate("localStorage.setItem('grafana.navigation.docked', 'true')");
    await page.evaluate("localStorage.setItem('grafana.navigation.open', 'true')");
    await page.open(`${address}/d/${uid}?${query}&theme=${scheme}`, viewport);
    const end = `[...document.querySelectorAll('section')].find(({ dataset }) => dataset.testid?.includes('Panel header') && dataset.testid.includes('${last}'))`;
    await page.until(`${end} !== undefined`);
    // Grafana lays out its tables only after a frame is drawn.
    await page.screenshot();
    // Queries run and charts are drawn after the panels appear.
    await wait(10_000);
    await page.until('document.querySelector(\'[aria-label="Panel loading bar"]\') === null');
    const part = await page.evaluate(`(() => {
      const { top } = document.querySelector('[data-testid="data-testid dashboard controls"]').getBoundingClientRect();
      const { x, width } = document.querySelector('.react-grid-layout').getBoundingClientRect();
      const { bottom } = ${end}.getBoundingClientRect();
      return { x: x - 8, y: top, width: width + 16, height: bottom + 8 - top };
    })()`);
    await writeFile(
      join('docs/images', `${name}.png`),
      await page.screenshot(rectangle.parse(part)),
    );
  }
} finally {
  await page.close();
}
