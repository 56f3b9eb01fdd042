import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import type { Comparison } from './password-threads.ts';

// The entry of the thread: a comparison takes a good part of a second of computing.
parentPort?.on('message', ({ password, hash }: Comparison) => {
  parentPort?.postMessage(compareSync(password, hash));
});
