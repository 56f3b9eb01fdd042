import { expect, test } from 'vitest';
import { startServing } from '../support/exporter-command.ts';

/** Twice V8's initial size. After one more growth, it would be four times as much. */
const smallBytes = 4.5e6;

test('loading the program and serving a small account does not make the young generation grow', async () => {
  const exporter = await startServing(['--web.listen-address=127.0.0.1:0']);
  const [, address = ''] = await exporter.until(/serving metrics.* address=(\S+)/);
  const response = await fetch(`http://${address}/metrics`);
  const [, bytes] =
    /^nodejs_heap_space_size_total_bytes\{space="new"\} (\S+)$/m.exec(await response.text()) ?? [];

  expect(Number(bytes)).toBeGreaterThan(0);
  expect(Number(bytes)).toBeLessThan(smallBytes);
});
