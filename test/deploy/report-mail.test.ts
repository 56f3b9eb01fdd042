import { execFile } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { chartFolder } from './chart.ts';

const run = promisify(execFile);
const script = join(chartFolder, 'files/report-mail.sh');

/** Runs the script with a command that prints a report and ends with a status. */
async function mailWith(status: number) {
  const folder = await temporaryFolder();
  const [command, mail] = [join(folder, 'exporter'), join(folder, 'mail')];
  await writeFile(
    command,
    `#!/bin/sh\necho "$@" > ${folder}/flags\nprintf '<!DOCTYPE html>\\n<title>October 2026: 1 missed.</title>\\nwhole\\n'\nexit ${status}\n`,
  );
  await chmod(command, 0o755);
  const env = {
    ...{ PATH: process.env.PATH, REPORT_FROM: 'a@example.com', REPORT_TO: 'b@example.com' },
    UPTIME_EXPORTER: `/bin/sh ${command}`,
  };
  const ended = await run('/bin/sh', [script, mail, '--wait=2h', '--group=a b'], { env }).then(
    () => 0,
    ({ code }) => code,
  );
  return { ended, mail, flags: await readFile(join(folder, 'flags'), 'utf8') };
}

describe('the script that writes a mail', () => {
  test.each([0, 2, 3])('has the report of a command that ends with %i', async (status) => {
    const { ended, mail, flags } = await mailWith(status);
    expect(ended).toBe(0);
    expect(flags).toBe('report --format=html --wait=2h --group=a b\n');
    const [head, body] = (await readFile(mail, 'utf8')).split('\n\n');
    expect(head).toMatch(
      /^From: a@example\.com\nTo: b@example\.com\nSubject: October 2026: 1 missed\.\nDate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} [+-]\d{4}\nMIME-Version: 1\.0\nContent-Type: text\/html; charset=utf-8\nContent-Transfer-Encoding: 8bit$/,
    );
    expect(body).toMatch(/^<!DOCTYPE html>.*whole\n$/s);
  });

  test('writes none if there is no report', async () => {
    const { ended, mail } = await mailWith(1);
    expect(ended).toBe(1);
    await expect(stat(mail)).rejects.toThrow('ENOENT');
  });
});
