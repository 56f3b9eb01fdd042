import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import type { Comparison } from './password-threads.ts';

/**
 * The process of a small account interprets its code (`src/cli/v8-settings.ts`), which makes a
 * comparison take twenty times as long. Options of V8 belong to the process, which sets them again.
 */
const compiled = ['--sparkplug', '--opt'];

// The entry of the thread. One comparison can take a large part of a second.
parentPort?.on('message', ({ password, hash }: Comparison) => {
  for (const option of compiled) setFlagsFromString(option);
  parentPort?.postMessage(compareSync(password, hash));
});
