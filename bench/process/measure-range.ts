import { setTimeout } from 'node:timers/promises';
import type { Measured } from './measured.ts';
import { type Prepared, serveAtRest } from './prepare.ts';
import type { PreparedMonths } from './prepare-months.ts';

/** By request: a page and a JSON file in turn, the first one in a process that has made no report. */
export interface RangeFigures {
  /** From the request to the end of the response. */
  readonly milliseconds: readonly number[];
  /** Until the process is idle again. */
  readonly cpuMilliseconds: readonly number[];
  /** The highest resident size above that before the request. */
  readonly addedMegabytes: readonly number[];
  readonly longestBlockMilliseconds: readonly number[];
}

const watchMilliseconds = 50;
const forms = ['', '.json'];

/** The report of all stored months, of an exporter at rest. */
export async function measureRange(
  prepared: Prepared,
  { first, last }: PreparedMonths,
  runs: number,
): Promise<RangeFigures> {
  const { measured, port } = await serveAtRest(prepared, []);
  const requests = [];
  for (let run = 0; run < runs; run++) {
    for (const form of forms) {
      const url = `http://127.0.0.1:${port}/report${form}?from=${first}&to=${last}`;
      requests.push(await measureRequest(measured, url));
    }
  }
  await measured.end();
  return {
    milliseconds: requests.map(({ milliseconds }) => milliseconds),
    cpuMilliseconds: requests.map(({ usage }) => usage.cpuMilliseconds),
    addedMegabytes: requests.map(({ addedMegabytes }) => addedMegabytes),
    longestBlockMilliseconds: requests.map(({ usage }) => usage.longestBlockMilliseconds),
  };
}

async function measureRequest(measured: Measured, url: string) {
  const { residentMegabytes: before } = await measured.usage();
  let [highest, milliseconds] = [before, 0];
  const usage = await measured.during(async () => {
    const start = performance.now();
    let isOver = false;
    const requested = read(url).finally(() => {
      milliseconds = performance.now() - start;
      isOver = true;
    });
    const watched = async () => {
      while (!isOver) {
        await setTimeout(watchMilliseconds);
        highest = Math.max(highest, (await measured.usage()).residentMegabytes);
      }
    };
    await Promise.all([requested, watched()]);
  });
  return { milliseconds, usage, addedMegabytes: highest - before };
}

async function read(url: string): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`the report answered ${response.status}`);
}
