import { expect, test } from 'vitest';
import { Coalescer } from '../../src/lib/coalescer.ts';

function setUp() {
  const started: (() => void)[] = [];
  const coalescer = new Coalescer(() => new Promise((resolve) => started.push(resolve)));
  const finish = async () => {
    started.at(-1)?.();
    await new Promise(setImmediate);
  };
  return { coalescer, started, finish };
}

test('runs once for every time it was asked while nothing ran', async () => {
  const { coalescer, started, finish } = setUp();
  coalescer.ask();
  await finish();
  coalescer.ask();
  await finish();
  expect(started).toHaveLength(2);
});

test('what is asked meanwhile becomes one more run', async () => {
  const { coalescer, started, finish } = setUp();
  for (let times = 0; times < 5; times++) coalescer.ask();
  expect(started).toHaveLength(1);
  await finish();
  expect(started).toHaveLength(2);
  await finish();
  expect(started).toHaveLength(2);
});

test('is idle when the last run has ended', async () => {
  const { coalescer, finish } = setUp();
  let idle = false;
  coalescer.ask();
  coalescer.ask();
  void coalescer.idle().then(() => {
    idle = true;
  });
  await finish();
  expect(idle).toBe(false);
  await finish();
  expect(idle).toBe(true);
});
