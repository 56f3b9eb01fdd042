import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatVersion } from '../../../src/store/format/row.ts';
import { StoreNote } from '../../../src/store/sqlite/store-note.ts';
import { openStore } from '../support/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { folderOf, itemsFile, shownFiles, shownOf, storeFiles } from './stored-life.ts';

/** Older formats were never released. */
const firstVersion = 2;
const versions = Array.from({ length: formatVersion - firstVersion + 1 }, (_, place) => [
  firstVersion + place,
]);

/** Opens a copy of the committed store, as if it were the store that was closed. */
async function opened(version: number) {
  const folder = await temporaryFolder();
  for (const file of storeFiles) copyFileSync(join(folderOf(version), file), join(folder, file));
  const note = new StoreNote(folder);
  const written = note.read();
  if (written === undefined) throw new Error('the note cannot be read');
  const { ino } = statSync(join(folder, 'uptime.db'), { bigint: true });
  note.write({ ...written, inode: `${ino}` });
  const { store, notices } = await openStore(folder);
  onTestFinished(() => store.close());
  return { store, notices };
}

const textOf = (version: number, file: string) =>
  readFileSync(join(folderOf(version), file), 'utf8');

describe.each(versions)('the store that an exporter of format %d wrote', (version) => {
  test('is read with each field of its items', async () => {
    const { store, notices } = await opened(version);
    const { items, lost, past } = await store.load('fields');
    expect({ notices, lost, past }).toEqual({ notices: [], lost: [], past: undefined });
    const read: unknown = JSON.parse(JSON.stringify([...items.check]));
    expect(read).toEqual(JSON.parse(textOf(version, itemsFile)));
  });

  test('continues in an exporter: its counters, and the report of a month that has ended', async () => {
    const { store } = await opened(version);
    const { counters, report, log } = await shownOf(store);
    expect(counters).toBe(textOf(version, shownFiles.counters));
    expect(JSON.parse(report)).toMatchObject(JSON.parse(textOf(version, shownFiles.report)));
    expect(log.filter((line) => /msg="[^"]*stored/.test(line))).toEqual([]);
  });
});
