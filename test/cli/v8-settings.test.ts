import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { v8Settings } from '../../src/cli/v8-settings.ts';

describe('v8Settings', () => {
  function settingsOf(v8Version?: string) {
    const flags: string[] = [];
    const settings = v8Settings((flag) => flags.push(flag), v8Version);
    const [threads] = flags.splice(0, 1);
    return { settings, threads, taken: () => flags.splice(0) };
  }
  const interpreted = ['--no-sparkplug', '--no-opt'];
  const compiled = ['--sparkplug', '--opt'];
  const small = ['--semi-space-growth-factor=1', '--heap-growing-percent=0', ...interpreted];
  const large = ['--semi-space-growth-factor=2', '--heap-growing-percent=30', ...compiled];
  const filling = ['--semi-space-growth-factor=16', '--heap-growing-percent=50'];
  const version11 = '11.3.244.8-node.33';

  test('keep the heap small and the code interpreted up to 999 checks, and not from 1,000 on', () => {
    const { settings, taken } = settingsOf(version11);
    for (const checks of [20, 999]) settings.showing(checks);
    expect(taken()).toEqual([...small, ...small, ...small]);

    for (const checks of [1_000, 25_000, 20]) settings.showing(checks);
    expect(taken()).toEqual(large);
  });

  test('compile code while much is decoded', () => {
    const { settings, taken } = settingsOf(version11);
    settings.decoding(499_999);
    expect(taken()).toEqual(small);

    settings.decoding(1);
    settings.showing(400);
    expect(taken()).toEqual([...compiled, ...small]);
  });

  test('let the heap fill while 8 MB are decoded', () => {
    const { settings, taken } = settingsOf(version11);
    // An account that is read again is small, too.
    for (let time = 0; time < 3; time++) {
      settings.decoding(400_000);
      settings.showing(400);
    }
    expect(taken()).toEqual([...small, ...small, ...small, ...small]);

    for (const bytes of [400_000, 7_000_000, 600_000]) settings.decoding(bytes);
    settings.showing(1_000);
    expect(taken()).toEqual([...compiled, ...compiled, ...filling, ...large]);

    settings.decoding(8_000_000);
    expect(taken()).toEqual([]);
  });

  test('are more for the V8 of Node.js 24', () => {
    const { settings, taken } = settingsOf('13.6.233.17-node.51');
    expect(taken()).toEqual(['--no-maglev', ...small, '--memory-saver-mode']);

    settings.decoding(8_000_000);
    expect(taken()).toEqual([...compiled, ...filling, '--no-memory-saver-mode']);

    settings.showing(1_000);
    expect(taken()).toEqual([...large, '--no-memory-saver-mode']);
  });

  test('limit the young generation of threads, and not that of the program', () => {
    const { threads } = settingsOf();
    const fill = `
      const fill = () => {
        const kept = [];
        for (let i = 0; i < 300_000; i++) kept[i % 30_000] = [i, String(i)];
        const { getHeapSpaceStatistics } = require('node:v8');
        const space = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
        return space.space_size / 2 ** 20;
      };`;
    const thread = `${fill} require('node:worker_threads').parentPort.postMessage(fill());`;
    const program = `${fill}
      const { setFlagsFromString } = require('node:v8');
      const { Worker } = require('node:worker_threads');
      setFlagsFromString('${threads}');
      setFlagsFromString('--semi-space-growth-factor=16');
      const ofProgram = fill();
      const thread = new Worker(${JSON.stringify(thread)}, { eval: true });
      thread.on('message', (ofThread) => console.log(ofThread, ofProgram));`;
    const limit = '--max-semi-space-size=16';
    const { stdout, stderr } = spawnSync(process.execPath, [limit, '-e', program]);

    expect([String(stdout), String(stderr)]).toEqual(['2 32\n', '']);
  });

  test('are known to this version of V8, and code is compiled again when an account grows', () => {
    const { settings, taken } = settingsOf();
    const atStart = taken();
    settings.showing(1_000);
    // The bit of `OptimizationStatus` (V8, src/runtime/runtime.h) for optimized code.
    const program = `
      const { setFlagsFromString } = require('node:v8');
      const set = (flags) => flags.forEach((flag) => setFlagsFromString(flag));
      set(${JSON.stringify(atStart)});
      set(['--allow-natives-syntax']);
      const isCompiled = new Function('work', 'return (%GetOptimizationStatus(work) & 16) !== 0');
      const work = (count) => { let sum = 0; for (let i = 0; i < count; i++) sum += i % 7; return sum; };
      const run = () => { for (let i = 0; i < 2000; i++) work(1000); return isCompiled(work); };
      const before = run();
      set(${JSON.stringify(taken())});
      // Another thread compiles, which may have to wait for a processor.
      let after = false;
      for (let tries = 0; tries < 1000 && !after; tries++) after = run();
      console.log(before, after);
    `;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', program]);

    expect({ stdout: String(stdout), stderr: String(stderr), status }).toEqual({
      stdout: 'false true\n',
      stderr: '',
      status: 0,
    });
  });
});
