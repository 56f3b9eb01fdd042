import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/server/listen.ts';
import { openChromium } from '../../support/chromium.ts';
import { testApp } from '../../support/http-app.ts';
import { missing } from '../../support/tools.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { account, begin } from '../support/asked-account.ts';

const desktop = { width: 1280, height: 900, scheme: 'light' } as const;

async function serve(app: RequestListener) {
  const server = await listen(app, '127.0.0.1:0', new VirtualClock());
  onTestFinished(() => server.close(0));
  return server;
}

/**
 * An exporter at an address that browsers do not trust: they send no `Sec-Fetch-Site` to it, and an
 * `Origin` only if the referrer policy of the page lets them.
 */
async function plainExporter() {
  const shop = account();
  const server = await serve(testApp({ accounts: [shop.status] }));
  const page = await openChromium();
  onTestFinished(() => page.close());
  return { shop, page, url: `http://exporter:${new URL(server.url).port}` };
}

test.skipIf(missing('chromium'))(
  'a browser asks for a cause with the button, also over plain HTTP and without scripts',
  async () => {
    const { shop, page, url } = await plainExporter();
    for (const scripts of [true, false]) {
      await page.open(`${url}/accounts/main/checks/3`, { ...desktop, scripts });

      await page.click(`#causes-${begin}`);
      // The next page is opened only after this one has loaded.
      await page.until("location.hash === '#outages' && document.readyState === 'complete'");
    }

    const outage = { fromSeconds: begin, toSeconds: begin + 600 };
    expect(shop.asked).toEqual([
      [3, outage],
      [3, outage],
    ]);
  },
);

test.skipIf(missing('chromium'))('a page of another site cannot ask for a cause', async () => {
  const { shop, page, url } = await plainExporter();
  const action = `${url}/-/causes?account=main&check=3&from=${begin}`;
  const other = await serve((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<form method="post" action="${action}"><button>Win</button></form>`);
  });
  await page.open(other.url, desktop);

  await page.click('button');
  await page.until("document.body.innerText.includes('another site')");

  expect(shop.asked).toEqual([]);
});
