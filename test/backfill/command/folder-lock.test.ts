import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import { startExporter } from '../../support/exporter-command.ts';
import { fakeExporter, from, itemWith } from '../support/fake-exporter.ts';
import { runBackfill } from '../support/run-backfill.ts';

/** An exporter whose job never ends. */
async function busyExporter() {
  const counts = { items: 2, read: 1, incomplete: 0, refused: 0, gone: 0, waiting: 0, open: 1 };
  const job = {
    state: 'running',
    from: '2025-01-01T00:00:00Z',
    requested_at: '2025-01-01T00:00:00Z',
    ...counts,
  };
  const cost = { checks: 2, transactions: 0, requests: 4 };
  const server = createServer((_, response) => {
    const view = { account: 'shop', time_zone: 'UTC', months: [], job, cost };
    response.end(JSON.stringify({ accounts: [view] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const label = ['job=uptime', 'instance=a:1'];

test('a second command is refused with the process that writes to the folder, which does not lock it after a kill', async () => {
  const output = join(await temporaryFolder(), 'history');
  const first = startExporter([
    'backfill',
    `--exporter=${await busyExporter()}`,
    ...[`--from=${from}`, `--output=${output}`, '--label=job=uptime', '--label=instance=a:1'],
  ]);
  await first.until(/read 1 of 2/);

  const { url: exporter } = await fakeExporter([itemWith({ id: 1 })]);
  const flags = { exporter, from: `${from}`, output, label };
  const refusal = await runBackfill(flags).catch((error: Error) => error.message);
  expect(refusal).toContain(`another backfill command writes to ${output} (process`);
  expect(refusal).toContain(`process ${first.process.pid} on ${hostname()}, since 20`);
  expect(refusal).toContain('wait until it ends, or stop it');

  first.process.kill('SIGKILL');
  await first.ended;
  expect(await runBackfill(flags)).toContain('Wrote');
});

test('a command that ended in any way leaves its folder to the next one', async () => {
  const output = join(await temporaryFolder(), 'history');
  const exporter = await busyExporter();
  let interrupt = (_: string) => {};
  const interrupted = new Promise<string>((resolve) => {
    interrupt = resolve;
  });
  const flags = { exporter, from: `${from}`, output, label };
  const running = runBackfill(flags, { interrupted });
  const ended = expect(running).rejects.toThrow('interrupted');
  await expect.poll(() => readdirSync(output)).toContain('.lock-holder.json');
  // As on a full disk.
  rmSync(join(output, '.lock-holder.json'));
  await expect(runBackfill(flags)).rejects.toThrow(
    `another backfill command writes to ${output}: wait`,
  );
  interrupt('SIGINT');
  await ended;
  const whole = await fakeExporter([itemWith({ id: 1 })]);
  const again = { ...flags, exporter: whole.url };
  await runBackfill(again);
  await runBackfill(again);
  expect(readdirSync(output).filter((name) => name.startsWith('.'))).toEqual(['.lock']);
});
