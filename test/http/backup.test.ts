import { stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import Database from 'libsql';
import request from 'supertest';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProcessLog } from '../../src/app/logging.ts';
import { openStorage } from '../../src/app/open-storage.ts';
import { defaultServing } from '../../src/config/serving.ts';
import type { StorageSource } from '../../src/http/ports.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { Scrubber } from '../../src/lib/secret.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { openStore } from '../store/support/open-store.ts';
import { plainItem } from '../store/support/stored-items.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { testApp } from '../support/http-app.ts';
import { createSandboxExporter } from '../support/sandbox-exporter.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** The exporter's responses with a store, without an account that would write to it. */
async function exporterOn(store: Store) {
  const log: string[] = [];
  const exporter = createSandboxExporter({
    accounts: [],
    store,
    clock: new VirtualClock(),
    write: (line) => log.push(line),
  });
  const url = await exporter.start();
  onTestFinished(() => exporter.stop());
  return { url, log };
}

function countedStorage() {
  const counted = { backups: 0 };
  const storage: StorageSource = {
    failure: undefined,
    backup: async () => {
      counted.backups += 1;
      return { path: '/data/backup/uptime-2026-01-01T00-00-00.000Z.db' };
    },
  };
  return { counted, storage };
}

describe('POST /-/backup', () => {
  test('writes a dated copy for the owner alone, which SQLite opens', async () => {
    const folder = await temporaryFolder();
    const { store } = await openStore(join(folder, 'data'));
    await store.commit({ account: 'shop', items: { check: new Map([[1, plainItem(7)]]) } });
    const { url, log } = await exporterOn(store);

    const reply = await request(url).post('/-/backup');

    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    const path = reply.text.trimEnd();
    expect(path.startsWith(join(folder, 'data', 'backup', 'uptime-'))).toBe(true);
    expect(path).toMatch(/uptime-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    const copy = new Database(path, { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const tables = copy.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    expect(tables.length).toBeGreaterThan(0);
    expect(log.join('')).toMatch(/backup written.*path=/);
  });

  test('responds with a path that is right from any folder', async () => {
    const folder = join(await temporaryFolder(), 'data');
    const storagePath = relative(process.cwd(), folder);
    const { store } = await openStorage(
      { ...defaultServing, storagePath },
      {
        clock: systemClock,
        log: createProcessLog({ stderr: { write: () => {} } }, defaultServing, new Scrubber()),
        readText: () => '',
      },
    );
    const { url } = await exporterOn(store);

    const reply = await request(url).post('/-/backup');

    expect(reply.text.startsWith(join(folder, 'backup', 'uptime-'))).toBe(true);
  });

  test('shows why there is no copy, and the exporter serves on', async () => {
    const folder = join(await temporaryFolder(), 'data');
    const { store } = await openStore(folder);
    await store.commit({ account: 'shop', items: { check: new Map([[1, plainItem(7)]]) } });
    const { url, log } = await exporterOn(store);
    // The path of the backup folder is a file.
    await writeFile(join(folder, 'backup'), '');

    const reply = await request(url).post('/-/backup');

    expect(reply.status).toBe(500);
    expect(reply.text).toMatch(/^No backup was written: cannot write .*backup/);
    expect(log.join('')).toMatch(/backup failed.*reason=unwritable/);
    expect((await request(url).get('/-/healthy')).status).toBe(200);
  });

  test('is not there when nothing is kept on a disk', async () => {
    const { url } = await exporterOn(new MemoryStore());

    expect((await request(url).post('/-/backup')).status).toBe(404);
  });

  test.each(['get', 'put', 'delete', 'patch'] as const)('%s is not allowed', async (method) => {
    const { counted, storage } = countedStorage();

    const reply = await request(testApp({ storage }))[method]('/-/backup');

    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe('POST');
    expect(counted.backups).toBe(0);
  });
});
