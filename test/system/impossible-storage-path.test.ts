import { expect, test } from 'vitest';
import { startExporter } from '../support/exporter-command.ts';

test('a storage path in a folder that takes no entries ends the start with the reason', async () => {
  const child = startExporter(
    ['--web.listen-address=127.0.0.1:0', '--storage.path=/proc/foo/data'],
    {
      UPTIME_API_BASE_URL: 'http://127.0.0.1:9',
      UPTIME_API_TOKEN: 'token-12345678',
    },
  );
  expect(await child.ended).toBe(1);
  expect(child.output()).toContain(
    'cannot use the storage path /proc/foo/data: no folder can be created in /proc; choose another path',
  );
});
