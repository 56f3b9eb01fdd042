import { expect, test } from 'vitest';
import { Turns } from '../../src/lib/turns.ts';

/** Work that notes its beginning, and ends when the test says so. */
function work(name: string, log: string[]) {
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve(name) : reject(error));
  });
  const run = () => {
    log.push(name);
    return ended;
  };
  return { run, end: (error?: Error) => end(error) };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('work on a name begins when the work before it has ended, also if that failed', async () => {
  const [turns, log] = [new Turns(), [] as string[]];
  const [first, second, other] = [work('first', log), work('second', log), work('other', log)];
  const failed = turns.take(['a'], first.run);
  const done = turns.take(['a'], second.run);
  void turns.take(['b'], other.run);
  await settled();
  expect(log).toEqual(['first', 'other']);

  first.end(new Error('failed'));
  await expect(failed).rejects.toThrow('failed');
  await settled();
  expect(log).toEqual(['first', 'other', 'second']);
  second.end();

  expect(await done).toBe('second');
});

test('work on several names waits for each of them, and later work on any of them waits for it', async () => {
  const [turns, log] = [new Turns(), [] as string[]];
  const [a, all, b] = [work('a', log), work('all', log), work('b', log)];
  const done = [
    turns.take(['a'], a.run),
    turns.take(['a', 'b', 'b'], all.run),
    turns.take(['b'], b.run),
  ];
  await settled();
  expect(log).toEqual(['a']);
  a.end();
  await settled();
  expect(log).toEqual(['a', 'all']);
  all.end();
  await settled();
  expect(log).toEqual(['a', 'all', 'b']);
  b.end();

  expect(await Promise.all(done)).toEqual(['a', 'all', 'b']);
});

test('names are taken until their last work has ended', async () => {
  const [turns, log] = [new Turns(), [] as string[]];
  const [first, second] = [work('first', log), work('second', log)];
  void turns.take(['a'], first.run);
  void turns.take(['a'], second.run);
  first.end();
  await settled();
  expect([turns.isTaken('a'), turns.isTaken('b'), turns.size]).toEqual([true, false, 1]);
  second.end();
  await turns.idle();

  expect([turns.isTaken('a'), turns.size]).toEqual([false, 0]);
});
