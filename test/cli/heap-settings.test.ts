import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { heapSettings } from '../../src/cli/heap-settings.ts';

describe('heapSettings', () => {
  function flagsOf(v8Version: string) {
    const flags: string[] = [];
    const follow = heapSettings((flag) => flags.push(flag), v8Version);
    return { follow, taken: () => flags.splice(0) };
  }
  const small = ['--semi-space-growth-factor=1', '--heap-growing-percent=0'];
  const large = ['--semi-space-growth-factor=2', '--heap-growing-percent=30'];

  test('keeps the heap small up to 999 checks, and lets it grow from 1,000 on', () => {
    const { follow, taken } = flagsOf('11.3.244.8-node.33');
    for (const checks of [20, 999]) follow(checks);
    expect(taken()).toEqual([...small, ...small, ...small]);

    for (const checks of [1_000, 25_000, 20]) follow(checks);
    expect(taken()).toEqual(large);
  });

  test('has more settings for the V8 of Node.js 24', () => {
    const { follow, taken } = flagsOf('13.6.233.17-node.51');
    expect(taken()).toEqual([...small, '--memory-saver-mode', '--no-maglev']);

    follow(1_000);
    expect(taken()).toEqual([...large, '--no-memory-saver-mode', '--maglev']);
  });

  test('sets nothing that this version of V8 does not know', () => {
    const flags: string[] = [];
    const follow = heapSettings((flag) => flags.push(flag));
    follow(1_000);
    const set =
      "process.argv.slice(1).forEach((flag) => require('node:v8').setFlagsFromString(flag))";
    const { stderr, status } = spawnSync(process.execPath, ['-e', set, '--', ...flags]);

    expect({ stderr: String(stderr), status }).toEqual({ stderr: '', status: 0 });
  });
});
