import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { expectTheTruthAfterKills } from '../support/kills.ts';
import { missing, toolPath } from '../support/tools.ts';

/** KILLS=n for another number of kills on each disk. */
const kills = Number(process.env.KILLS ?? 4);

/** Two seconds of the disk are twenty of the account: a list comes every minute. */
const speed = 10;

/** What strace does to each fsync: delays are in microseconds. */
const disks = ['delay_enter=500000', 'delay_enter=2000000', 'error=EIO:when=6+5'];

test.skipIf(missing('strace'))(
  `on disks whose fsync takes 0.5 or 2 s, or fails now and then, killed ${kills} times, no counter steps back, and in the end all agree with the service`,
  async () => {
    const traces = await temporaryFolder();
    const traceOf = (lane: number) => join(traces, String(lane));
    // With -D the exporter is the child of the test, so that a signal reaches it.
    const strace = [toolPath('strace'), '-D', '-f', '--seccomp-bpf', '-qq', '-A'];
    await expectTheTruthAfterKills(disks.length, kills, {
      speed,
      under: (lane) => [
        ...strace,
        ...['-o', traceOf(lane), '-e', 'trace=fsync,fdatasync'],
        ...['-e', `inject=fsync,fdatasync:${disks[lane]}`],
      ],
    });

    for (const [lane, fault] of disks.entries()) {
      const trace = await readFile(traceOf(lane), 'utf8');
      const hits = trace.match(/\((?:DELAYED|INJECTED)\)/g)?.length ?? 0;
      console.log(`${hits} calls of fsync with ${fault}`);
      expect(hits).toBeGreaterThan(kills);
    }
  },
);
