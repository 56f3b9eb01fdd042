import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PathLock } from '../../src/store/path-lock.ts';
import { leaveDeadSocket } from './support/dead-socket.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const child = join(import.meta.dirname, 'support', 'contending-child.js');
const contenders = 6;
const rounds = 24;

async function startContender(path: string): Promise<ChildProcess> {
  const contender = fork(child, [path]);
  onTestFinished(() => {
    contender.kill('SIGKILL');
  });
  await once(contender, 'message');
  return contender;
}

async function told(contender: ChildProcess, order: object): Promise<unknown> {
  contender.send(order);
  const [answer] = await once(contender, 'message');
  return answer;
}

async function killed(contender: ChildProcess): Promise<void> {
  contender.kill('SIGKILL');
  await once(contender, 'exit');
}

describe('of several processes that start at about the same time', () => {
  test('at most one holds the path, and what killed ones left hinders nobody', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'lock');
    let running = await Promise.all(Array.from({ length: contenders }, () => startContender(path)));
    let firstKilled: ChildProcess | undefined;

    for (let round = 0; round < rounds; round++) {
      await leaveDeadSocket(path);
      const step = round % 4;
      const answers = await Promise.all(
        running.map((contender, place) => told(contender, { takeAfterMilliseconds: place * step })),
      );

      const holders = running.filter((_, place) => answers[place] === 'held');
      expect(holders.length).toBeLessThanOrEqual(1);
      expect(answers.filter((answer) => answer !== 'held' && answer !== 'locked')).toEqual([]);

      const [holder] = holders;
      if (holder !== undefined) {
        firstKilled ??= holder;
        await killed(holder);
        const others = running.filter((contender) => contender !== holder);
        running = [...others, await startContender(path)];
      }
      const lock = await PathLock.take(path);
      expect(await readdir(folder)).toHaveLength(1);
      await lock.release();
    }
    expect(firstKilled).toBeDefined();
  });

  test('the holder keeps the path while others try', async () => {
    const path = join(await temporaryFolder(), 'lock');
    const lock = await PathLock.take(path);
    const others = await Promise.all(
      Array.from({ length: contenders }, () => startContender(path)),
    );

    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        others.map((contender) => told(contender, { takeAfterMilliseconds: 0 })),
      );
      expect(new Set(answers)).toEqual(new Set(['locked']));
    }

    await lock.release();
    const [next] = others;
    if (next === undefined) throw new Error('there is no other');
    expect(await told(next, { takeAfterMilliseconds: 0 })).toBe('held');
    expect(await told(next, {})).toBe('free');
  });
});

test('what several dead processes left is cleared away, and nothing else', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'lock');
  for (const name of ['lock', 'lock.dead', 'lock.a', 'lock.b', 'data']) {
    await leaveDeadSocket(join(folder, name));
  }
  await writeFile(join(folder, 'lock.txt'), 'somebody else put it here');

  const lock = await PathLock.take(path);

  const sockets = (await readdir(folder)).filter((name) => !['data', 'lock.txt'].includes(name));
  expect(sockets).toEqual([expect.stringMatching(/^lock\.[\w-]{8}$/)]);
  await lock.release();
  expect(new Set(await readdir(folder))).toEqual(new Set(['data', 'lock.txt']));
});

test('a socket called by the path itself holds it too', async () => {
  const path = join(await temporaryFolder(), 'lock');
  const holder = createServer((socket) => socket.destroy()).listen(path);
  await once(holder, 'listening');

  await expect(PathLock.take(path)).rejects.toMatchObject({
    name: 'StoreError',
    reason: 'locked',
    message: `another process uses the store (it answers on ${path}): stop it, or choose another storage path`,
  });

  holder.close();
  await once(holder, 'close');
  const lock = await PathLock.take(path);
  await lock.release();
});

test('who is refused leaves the sockets of all others alone', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'lock');
  const lock = await PathLock.take(path);
  await leaveDeadSocket(`${path}.dead`);
  const before = await readdir(folder);

  await expect(PathLock.take(path)).rejects.toMatchObject({ reason: 'locked' });

  expect(await readdir(folder)).toEqual(before);
  await lock.release();
});

test('who was taken for dead before it listened does not hold the path unseen', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'lock');

  const taking = PathLock.take(path);
  const [mistaken] = readdirSync(folder);
  rmSync(join(folder, `${mistaken}`));
  const lock = await taking;

  await expect(PathLock.take(path)).rejects.toMatchObject({ reason: 'locked' });
  await lock.release();
});

test('a folder in which nothing can be made is refused with the reason', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'missing', 'lock');

  await expect(PathLock.take(path)).rejects.toMatchObject({
    name: 'StoreError',
    reason: 'unwritable',
    message: expect.stringMatching(`^cannot lock the store at ${path}: .`),
  });
});
