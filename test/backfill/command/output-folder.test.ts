import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { OutputFolder } from '../../../src/backfill/command/output-folder.ts';
import { UsageError } from '../../../src/config/problems.ts';
import { onSmallDisk, smallDisk } from '../../store/support/small-disk.ts';

onSmallDisk('on a small disk', () => {
  test('a file whose last piece does not fit is refused, not cut', async () => {
    const path = await smallDisk('64k');
    const folder = await OutputFolder.open(path, 'now');
    onTestFinished(() => folder.close());
    const pieces = ['first\n', 'x'.repeat(100_000)];
    await expect(folder.write('day.om', pieces)).rejects.toThrow(UsageError);
    expect(readdirSync(path)).not.toContain('day.om');
    expect(await folder.write('day.om', ['é\n', 'last\n'])).toBe(8);
  });
});
