import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startExporter } from '../support/exporter-command.ts';
import { urlOf } from '../support/served-url.ts';

const key = 'k3y-of-the-gateway';

test('a key in the path of the base URL is sent, but not shown anywhere', async () => {
  const asked: (string | undefined)[] = [];
  const gateway = createServer(({ url }, response) => {
    asked.push(url);
    const error = { statuscode: 404, statusdesc: 'Not Found', errormessage: `no ${url}` };
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void gateway.close());
  await new Promise((resolve) => gateway.once('listening', resolve));
  const { port } = gateway.address() as AddressInfo;
  const child = startExporter(
    ['serve', '--web.listen-address=127.0.0.1:0', `--storage.path=${await temporaryFolder()}`],
    {
      UPTIME_API_BASE_URL: `http://127.0.0.1:${port}/${key}`,
      UPTIME_API_TOKEN: 'token-0123456789',
    },
  );
  await child.until(/refresh failed.*dataset=checks/);
  const url = urlOf([child.output()]);

  expect(asked[0]).toContain(`/${key}/api/3.1/`);
  const shown = await Promise.all(
    ['/', '/metrics', '/status.json', '/config'].map(async (path) => {
      const { body } = await request(`${url}${path}`);
      return [path, await body.text()] as const;
    }),
  );
  for (const [path, text] of [...shown, ['the log', child.output()] as const]) {
    expect(text.includes(key), path).toBe(false);
  }
  const [, status = ''] = shown.find(([path]) => path === '/status.json') ?? [];
  expect(JSON.parse(status).accounts[0].base_url).toBe(`http://127.0.0.1:${port}/<secret>`);
});
