import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { PasswordThreads } from '../../../src/http/access/password-threads.ts';

/** Accepts every comparison until it has ended. After that it never responds, like a thread. */
class AffirmativeThread extends EventEmitter {
  #hasEnded = false;

  postMessage(): void {
    if (!this.#hasEnded) queueMicrotask(() => this.emit('message', true));
  }

  end(): void {
    this.#hasEnded = true;
    this.emit('exit', 1);
  }
}

/** Threads that are started on demand, and a list of all of them. */
function threads() {
  const started: AffirmativeThread[] = [];
  const start = () => {
    const thread = new AffirmativeThread();
    started.push(thread);
    return thread as unknown as Worker;
  };
  return { passwords: new PasswordThreads(start), started };
}

test('a thread that is idle does the next comparison', async () => {
  const { passwords, started } = threads();

  await passwords.compare('secret', 'hash');
  await passwords.compare('secret', 'hash');

  expect(started).toHaveLength(1);
});

test('a thread that ended while it was idle is replaced', async () => {
  const { passwords, started } = threads();
  await passwords.compare('secret', 'hash');
  started[0]?.end();

  expect(await passwords.compare('secret', 'hash')).toBe(true);
  expect(started).toHaveLength(2);
});

test('a comparison whose thread ends is rejected, and the next one has a new thread', async () => {
  const { passwords, started } = threads();
  const first = passwords.compare('secret', 'hash');
  started[0]?.end();

  await expect(first).rejects.toThrow('the thread that checks passwords has ended');
  expect(await passwords.compare('secret', 'hash')).toBe(true);
  expect(started).toHaveLength(2);
});
