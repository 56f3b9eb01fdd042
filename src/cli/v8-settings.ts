import { setFlagsFromString } from 'node:v8';
import { compiledCode } from '../lib/compiled-code.ts';
import type { Workload } from '../lib/workload.ts';

/** An account with at least this many checks is large. Most accounts have 20 to 500. */
const manyChecks = 1_000;
/*
 * Records and the first list are decoded before the number of checks is known, and their size does
 * not show it: a check takes some hundred bytes, or 20 kB and more after a backfill of a year.
 */
/** Decoding these takes longer than compiling the decoder. */
const manyBytes = 500_000;
/** The records and lists of the large accounts that were measured; no account of 300 checks has as much. */
const largeBytes = 8_000_000;

/**
 * Small accounts: V8's young generation stays at its initial size of 2 MB, and the heap is
 * collected each time it has grown by a tenth.
 */
const small = ['--semi-space-growth-factor=1', '--heap-growing-percent=0'];
/**
 * Large accounts: the young generation may grow to its limit, which takes 30 MB, and the heap may
 * grow by three tenths, because nearly all of its objects survive a collection. Lists then cost
 * less CPU.
 */
const large = ['--semi-space-growth-factor=2', '--heap-growing-percent=30'];
/**
 * Small accounts: code is interpreted. Compilers and what they compile would take 6 to 9 MB, and for
 * so little work, compiling costs as much CPU as it saves.
 */
const interpreted = ['--no-sparkplug', '--no-opt'];
/**
 * While much is decoded and rendered for the first time, almost all new objects stay: the young
 * generation grows to its limit at once, and the heap grows by half before it is collected.
 */
const filling = ['--semi-space-growth-factor=16', '--heap-growing-percent=50'];
/**
 * For the heaps of threads, which are created later: their objects are rows that are written once.
 * The heap of the program has its limit already.
 */
const threads = ['--max-semi-space-size=1'];
/**
 * V8 version 13 and later, which Node.js 24 has. Its compiler Maglev saves 2 % of the CPU and takes
 * 30 MB with 25,000 checks.
 */
const alwaysFrom13 = ['--no-maglev'];
const smallFrom13 = ['--memory-saver-mode'];
const largeFrom13 = ['--no-memory-saver-mode'];

/**
 * Sets up V8 for loading the modules, and returns what fits it to the size of the accounts.
 *
 * Node.js does not allow these options in `NODE_OPTIONS`, and the size of the accounts is known only
 * at run time. Measured with Node.js 20, highest memory: 200 checks 99 MB instead of 175; 25,000
 * checks 360 MB instead of 436, for 5 % more CPU. Versions 20, 22 and 24 have them; a version
 * without one prints `unrecognized flag` once and continues.
 */
export function v8Settings(
  setFlag = setFlagsFromString,
  v8Version = process.versions.v8,
): Workload {
  const isFrom13 = Number.parseInt(v8Version, 10) >= 13;
  const setAll = (...flags: readonly string[]) => {
    for (const flag of flags) setFlag(flag);
  };
  setAll(...threads);
  if (isFrom13) setAll(...alwaysFrom13);
  let isSmall = true;
  let decodedBytes = 0;
  const showing = (checks: number) => {
    decodedBytes = 0;
    if (!isSmall) return;
    isSmall = checks < manyChecks;
    setAll(...(isSmall ? [...small, ...interpreted] : [...large, ...compiledCode]));
    if (isFrom13) setAll(...(isSmall ? smallFrom13 : largeFrom13));
  };
  showing(0);
  return {
    // V8 has raised the growth factor of the young generation for the thread.
    threadStarted: () => showing(0),
    decoding: (bytes) => {
      decodedBytes += bytes;
      if (!isSmall) return;
      if (decodedBytes >= manyBytes) setAll(...compiledCode);
      if (decodedBytes < largeBytes) return;
      setAll(...filling);
      if (isFrom13) setAll(...largeFrom13);
    },
    showing,
  };
}
