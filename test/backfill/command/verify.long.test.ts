import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashUnit } from '../../../src/lib/random.ts';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import { BackfilledPrometheus } from '../../support/backfilled-prometheus.ts';
import { findTool, missing, toolPath } from '../../support/tools.ts';
import { day, fakeExporter, from, itemWith } from '../support/fake-exporter.ts';
import { runBackfill } from '../support/run-backfill.ts';

const seam = from + 2 * day + 17;
const seriesOf = (id: number, state: string, more = '') =>
  `uptime_check_state_seconds_total{account="shop",check_id="${id}",name="Check ${id}",state="${state}"${more},job="uptime",instance="a:1"}`;
const textOf = (...lines: string[]) =>
  `# TYPE uptime_check_state_seconds counter\n${lines.join('\n')}\n# EOF\n`;

/** The ranges are random, but the same in every run. */
function seeded() {
  let place = 0;
  return () => hashUnit(11, place++);
}

/**
 * Writes the history of two checks to files, imports the files of some days and other samples, and
 * verifies the data of the server.
 */
async function verdictOn({
  days = 3,
  more = [],
}: {
  readonly days?: number;
  readonly more?: readonly string[];
}) {
  const exporter = await fakeExporter([1, 2].map((id) => itemWith({ id })));
  const output = join(await temporaryFolder(), 'history');
  const label = ['job=uptime', 'instance=a:1'];
  await runBackfill({ exporter: exporter.url, from: `${from}`, output, label });
  const server = await BackfilledPrometheus.create(toolPath('prometheus-3'));
  const promtool = findTool('promtool-3') ?? '';
  const files = (await readdir(output)).filter((name) => name.endsWith('.om')).sort();
  for (const file of files.slice(0, days)) await server.importFile(promtool, join(output, file));
  for (const text of more) await server.importText(promtool, text);
  await server.start();
  const flags = { verify: true, output, prometheus: server.url };
  const options = { random: seeded(), sleep: async () => {} };
  const told = await runBackfill(flags, options).catch(({ message }: Error) => message);
  return { told, flags };
}

describe.skipIf(missing('prometheus-3'))(
  'the verification of a history in a real Prometheus 3',
  () => {
    test('finds every sample as the service reported it, and the 0 before the live counters', async () => {
      const { told, flags } = await verdictOn({
        more: [
          textOf(`${seriesOf(1, 'up')} 60 ${seam + 60}`, `${seriesOf(1, 'up')} 120 ${seam + 120}`),
        ],
      });
      expect(told).toMatch(
        /The server has what the service reported: [\d,]+ samples of random ranges of 2 checks/,
      );
      await expect(runBackfill({ ...flags, output: `${flags.output}-2` })).rejects.toThrow(
        'is not written to its end: run the command without --verify first',
      );
    });

    test('shows which samples are missing, and what to look at', async () => {
      const { told, flags } = await verdictOn({ days: 1 });
      const dates = [1, 2].map((d) => new Date((from + d * day) * 1000).toISOString().slice(0, 10));
      expect(told).toMatch(
        new RegExp(`check [12] .*samples are missing between \\S+ and ${dates[1]}`),
      );
      expect(told).toMatch(new RegExp(`samples are missing between \\S+ and ${dates[0]}`));
      expect(told).toContain('it writes the files of these days again');
      // The days count as not written, until the same command has written them.
      await expect(runBackfill(flags)).rejects.toThrow('is not written to its end');
    });

    test('shows samples of another history among those that were written', async () => {
      const { told } = await verdictOn({
        more: [textOf(`${seriesOf(1, 'down')} 7 ${from + day + 150}`)],
      });
      expect(told).toContain(
        `check 1 (Check 1), state down: at ${new Date((from + day + 150) * 1000).toISOString().replace('.000Z', 'Z')} the server has 7, and the service reported 120`,
      );
      expect(told).toContain('another history of the same checks');
    });

    test('shows series of the same check under other labels', async () => {
      const lines = [1, 2].map(
        (d) => `${seriesOf(1, 'up', ',team="pay"')} 7 ${from + d * day - 7_200}`,
      );
      const { told } = await verdictOn({ more: [textOf(...lines)] });
      expect(told).toContain('state up: there are 2 series where one is expected');
    });

    test('shows a live counter that is larger than the time since the first sight', async () => {
      const { told } = await verdictOn({
        more: [textOf(`${seriesOf(2, 'up')} 9000 ${seam + 60}`)],
      });
      expect(told).toContain('the server has 9000, and it can be 60 at most');
    });
  },
);
