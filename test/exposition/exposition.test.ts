import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../src/exposition/catalogue/catalogue.ts';
import type { LeanPart } from '../../src/exposition/catalogue/family.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { Exposition } from '../../src/exposition/exposition.ts';
import { type Format, formats } from '../../src/exposition/formats.ts';
import { ExporterMetrics } from '../../src/exposition/self-metrics/exporter-metrics.ts';
import { type ParsedSample, parseExposition } from '../support/openmetrics-parser.ts';
import { missing, toolPath } from '../support/tools.ts';
import { VirtualClock, wholeSecond } from '../support/virtual-clock.ts';
import { textOf } from './support/exposing.ts';
import { aRenderer, freshPage, plainText } from './support/rendering.ts';
import { aBudget, aCheck, aSnapshot, fullRow, fullSnapshot } from './support/snapshots.ts';

const awkwardNames = ['a "quoted" \\ name', 'two\nlines\r', '",check_id="9', '😀 é \u2028'];
const snapshot = fullSnapshot({
  checks: [
    fullRow(1),
    ...awkwardNames.map((name, index) =>
      aCheck({ id: index + 2, name, tags: [{ name, source: 'auto' }], hostname: name }),
    ),
  ],
});
const schedule = {
  demandRequestsPerSecond: 0.5,
  items: { status: 1, event: 0, background: 40 },
  oldestDueSeconds: 12,
  overdueSeconds: { checks: 0, results: 7 },
  missingRequestsPerSecond: { checks: 0.25, credits: 0 },
};

const leanParts = new Map(
  catalogue.flatMap(({ families }) => families.map(({ name, lean }) => [name, lean])),
);

function anExposition(served = ServedFamilies.full) {
  const metrics = new ExporterMetrics({
    build: { version: '1.2.3', revision: 'abc' },
    accounts: () => [{ snapshot, budget: aBudget, schedule, failure: 'none' }],
    clock: new VirtualClock(wholeSecond),
    served,
  });
  metrics.attempted({
    account: 'main',
    operation: 'checks',
    code: '200',
    durationSeconds: 0.2,
    responseBytes: 100,
  });
  return new Exposition({ renderer: aRenderer({ served }), metrics });
}

function golden(name: string): string {
  return readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8');
}

/** The page without the metrics of this process. */
function stableOf(text: string, format: Format): string {
  const end = text.indexOf(`# ${format === 'text' ? 'HELP' : 'TYPE'} uptime_exporter_build_info`);
  return text.slice(0, end) + (format === 'openmetrics' ? '# EOF\n' : '');
}

describe('Exposition', () => {
  let exposition: Exposition;

  beforeAll(async () => {
    exposition = anExposition();
    await exposition.show([snapshot]);
  });

  const read = async (format: Format) => textOf(await exposition.read(format, 'identity'));

  it.each(formats)('is complete and well-formed as %s', async (format) => {
    const names = parseExposition(await read(format), format).map(({ name }) => name);

    expect(names).toContain('uptime_check_up');
    expect(names).toContain('uptime_exporter_dataset_stale');
    expect(names).toContain('process_resident_memory_bytes');
  });

  it.each(formats)('gives the same families and series compressed as %s', async (format) => {
    const text = await textOf(await exposition.read(format, 'gzip'));

    const shape = (page: string) =>
      parseExposition(page, format)
        .filter(({ name }) => name.startsWith('uptime_'))
        .flatMap(({ samples }) => samples);
    expect(shape(text)).toEqual(shape(await read(format)));
  });

  it('serves the golden page', async () => {
    await expect(stableOf(await read('text'), 'text')).toMatchFileSnapshot('golden/text.txt');
  });

  it('gives the same samples in both formats', async () => {
    const stable = async (format: Format) =>
      parseExposition(stableOf(await read(format), format), format).map(
        ({ type, help, samples }) => ({ type, help, samples }),
      );

    expect(await stable('openmetrics')).toEqual(await stable('text'));
  });

  it.each([true, false])(
    'serves with metrics: lean the part of each family that it names, with hourly results: %s',
    async (areResultsHourly) => {
      const shown = [fullSnapshot(areResultsHourly ? { areResultsHourly } : {})];
      const pageOf = async (served: ServedFamilies) => {
        const one = anExposition(served);
        await one.show(shown);
        const text = await textOf(await one.read('text', 'identity'));
        return parseExposition(stableOf(text, 'text'), 'text');
      };
      const isServed = (part: LeanPart | undefined, { value, labels }: ParsedSample) => {
        if (part === 'nothing') return false;
        if (part === 'hourly results') return areResultsHourly;
        if (part === 'ones') return value === 1;
        return typeof part !== 'object' || part.values.includes(labels[part.label] ?? '');
      };

      const expected = (await pageOf(ServedFamilies.full)).map((family) => ({
        ...family,
        samples: family.samples.filter((sample) => isServed(leanParts.get(family.name), sample)),
      }));

      expect(await pageOf(ServedFamilies.lean)).toEqual(
        expected.filter(({ samples }) => samples.length > 0),
      );
    },
  );

  it('serves the exporter alone before the first page', async () => {
    const text = await textOf(await anExposition().read('openmetrics', 'identity'));

    const families = parseExposition(text, 'openmetrics');
    expect(families.map(({ name }) => name)).not.toContain('uptime_up');
    expect(families.map(({ name }) => name)).toContain('uptime_exporter_build_info');
  });

  it('counts the series of its page from the first scrape on', async () => {
    const exposition = anExposition();
    await exposition.show([snapshot]);
    expect(exposition.series).toBeUndefined();

    const text = await textOf(await exposition.read('text', 'identity'));
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(exposition.series).toBe(samples.length);
  });

  it('gives the event loop a turn before each plain chunk, however many scrapes read it', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);

    const turnsAt = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { chunks } = await exposition.read('text', 'identity');
        for await (const _ of chunks) return turns;
        return undefined;
      }),
    );
    clearImmediate(counting);

    expect(new Set(turnsAt).size).toBe(6);
  });

  describe.skipIf(missing('promtool'))('by promtool', () => {
    const check = (text: string) =>
      execFileSync(toolPath('promtool'), ['check', 'metrics'], { input: text, encoding: 'utf8' });

    it('passes with awkward names', async () => {
      expect(check(await read('text'))).toBe('');
    });

    it('passes with a NUL in a name', async () => {
      const page = await freshPage(aSnapshot({ checks: [aCheck({ name: 'nul\0' })] }));

      expect(check(plainText(page, 'text'))).toBe('');
    });

    it('passes as the golden page', () => {
      expect(check(golden('text.txt'))).toBe('');
    });
  });
});
