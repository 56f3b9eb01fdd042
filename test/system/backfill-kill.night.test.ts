import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { readBackfill } from '../../src/backfill/job/documents.ts';
import { longestLagSeconds } from '../../src/tally/list-times.ts';
import { openStore } from '../store/support/open-store.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import type { Child } from '../support/child.ts';
import { startExporter } from '../support/exporter-command.ts';
import { freePort } from '../support/free-port.ts';
import { laneAt, startUnrulyAccount } from '../support/scaled-life.ts';

const day = 86_400;
/** The speed of the sandbox's and the exporter's time. */
const speed = 200;
const [scaledTime, shiftedTime] = ['scaled-time.js', 'shifted-time.js'].map((name) =>
  join(import.meta.dirname, '..', 'support', name),
);

async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await delay(1);
}

async function kill({ process, ended }: Child): Promise<void> {
  process.kill('SIGKILL');
  await ended;
}

function filesOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.om') || name === 'items.ndjson',
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test('exporter and command killed at ten points ask the service for nothing twice, and write the same files', async () => {
  const since = Date.now();
  const { clock, sandbox } = await startUnrulyAccount(since, speed);
  const path = await temporaryFolder();
  const { configuration } = await laneAt(0, path, sandbox.url);
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const startScaled = async () => {
    const child = startExporter(
      [
        `--web.listen-address=${address}`,
        `--storage.path=${path}`,
        `--config.file=${configuration}`,
      ],
      { NODE_OPTIONS: `--import=${scaledTime}`, SCALED_TIME: `${speed},${since}` },
    );
    await child.until(/address=(?:http:\/\/)?[\d.]+:\d+/);
    return child;
  };
  const from = Math.floor(since / 1000) - 10 * day;
  const startCommand = (output: string) =>
    startExporter(
      [
        'backfill',
        `--exporter=${url}`,
        `--from=${from}`,
        `--output=${output}`,
        '--label=job=uptime',
      ],
      // Late enough that no check was first seen too recently.
      { NODE_OPTIONS: `--import=${shiftedTime}`, SHIFTED_TIME: `${4 * 3_600_000}` },
    );

  const requested: number[] = [];
  let read = 0;
  /**
   * The checks whose past the job requested, in order. Only the job requests that many days up to
   * first sight. The journal keeps the last requests only, so that new ones are added here.
   */
  const asked = () => {
    const { recent, total } = sandbox.journal;
    const news = recent.slice(Math.max(0, recent.length - (total - read)));
    read = total;
    const ofJob = news.filter(({ operation, query }) => {
      const length = Number(query.to) - Number(query.from);
      return operation === 'list_outages' && Number(query.from) === from && length > 9 * day;
    });
    requested.push(...ofJob.map((entry) => Number(entry.path.split('/').at(-1))));
    return [...requested];
  };
  const stored = async () => {
    const { store } = await openStore(path);
    const { documents } = await store.load('default');
    await store.close();
    return [...readBackfill(documents, expect.unreachable).check.keys()];
  };

  const readSoFar = async (): Promise<number> => {
    const { body } = await request(`${url}/-/backfill`);
    const { accounts } = JSON.parse(await body.text());
    return accounts[0]?.job?.read ?? 0;
  };

  let exporter = await startScaled();
  const listed = async () =>
    (await (await request(`${url}/-/backfill?from=${from}`)).body.text()).includes('"checks":12');
  await until(listed);
  const seen = clock.now();
  // Reports about the time before first sight are final then.
  await until(() => clock.now() - seen > (longestLagSeconds + 900) * 1000);

  const output = join(await temporaryFolder(), 'history');
  const known: { readonly ids: readonly number[]; readonly asked: number }[] = [];
  let command = startCommand(output);
  for (const reports of [1, 3, 5, 8, 11]) {
    await until(() => asked().length >= reports);
    // On a busy machine every report may still be under way.
    if (reports === 11) await until(async () => (await readSoFar()) > 0);
    await kill(exporter);
    known.push({ ids: await stored(), asked: asked().length });
    if (reports === 5) {
      // It was waiting for the exporter.
      await kill(command);
      command = startCommand(output);
    }
    exporter = await startScaled();
  }
  expect(known[0]?.ids.length).toBeLessThan(12);
  expect(known.at(-1)?.ids.length).toBeGreaterThan(0);
  await until(() => existsSync(join(output, 'items.ndjson')));
  await kill(command);
  for (const days of [1, 3, 6]) {
    command = startCommand(output);
    const count = () => readdirSync(output).filter((name) => name.endsWith('.om')).length;
    await until(() => count() >= days || command.process.exitCode !== null);
    await kill(command);
  }
  command = startCommand(output);
  const code = await command.ended;
  expect(code, command.output()).toBe(0);

  for (const { ids, asked: before } of known) {
    expect(
      asked()
        .slice(before)
        .filter((id) => ids.includes(id)),
    ).toEqual([]);
  }
  expect(new Set(asked()).size).toBe(12);
  // A report that was in flight at a kill was not stored. Only that one is requested again.
  expect(asked().length).toBeLessThanOrEqual(12 + known.length * 4);

  const whole = join(await temporaryFolder(), 'history');
  const undisturbed = startCommand(whole);
  expect(await undisturbed.ended).toBe(0);
  const files = filesOf(whole);
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(11);
  expect(filesOf(output)).toEqual(files);
  expect(readdirSync(output).filter((name) => name.endsWith('.part'))).toEqual([]);
  await kill(exporter);
});
