import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { chartFolder, root } from './chart.ts';

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

/** As systemd 254 and later make a credential: the owner is root, and an ACL shows as rights of the group. */
const credentialMode = 0o440;

/** Refuses what msmtp refuses, and prints the mail. */
const msmtp = `#!/bin/sh
for flag; do case $flag in --file=*) file=\${flag#--file=};; esac; done
case $(stat -c %a "$file") in *00) ;; *) echo "$file: contains secrets and must not be readable for others" >&2; exit 78;; esac
cat
`;

test('the unit of systemd sends the mail with a credential that only an ACL lets it read', async () => {
  const unit = await readFile(join(root, 'deploy/systemd/uptime-report.service'), 'utf8');
  const folder = await temporaryFolder();
  const [credentials, runtime] = [join(folder, 'credentials'), join(folder, 'runtime')];
  await mkdir(credentials);
  await mkdir(runtime);
  await writeFile(join(credentials, 'msmtprc'), 'password secret\n', { mode: credentialMode });
  await writeFile(join(folder, 'msmtp'), msmtp, { mode: 0o755 });
  const exporter = join(folder, 'exporter');
  await writeFile(exporter, "printf '<title>October</title>\\n'\n");
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    REPORT_FROM: 'a@example.com',
    REPORT_TO: 'b@example.com',
    UPTIME_EXPORTER: `/bin/sh ${exporter}`,
    CREDENTIALS_DIRECTORY: credentials,
    RUNTIME_DIRECTORY: runtime,
  };
  // systemd joins continued lines, and replaces only `%t` in the commands.
  const commands = [...unit.replaceAll('\\\n', ' ').matchAll(/^ExecStart=(.+)$/gm)].map(
    ([, command = '']) =>
      command.replaceAll('/opt/uptime-exporter', root).replaceAll('%t/uptime-report', runtime),
  );
  const outputs: string[] = [];
  for (const command of commands) {
    const { stdout } = await run('/bin/sh', ['-c', `umask 0077; ${command}`], { env });
    outputs.push(stdout);
  }
  expect(outputs.join('')).toMatch(/^From: a@example\.com\nTo: b@example\.com\nSubject: October\n/);
});

test('the timer of systemd is in the time zone of the months, wherever the machine is', async () => {
  const timer = await readFile(join(root, 'deploy/systemd/uptime-report.timer'), 'utf8');
  expect(timer).toMatch(/^OnCalendar=\*-\*-01 \d\d:\d\d UTC$/m);
});
