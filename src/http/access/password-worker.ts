import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import { compiledCode } from '../../lib/compiled-code.ts';
import type { PasswordComparison } from './password-threads.ts';

/*
 * The entry of the thread. One comparison can take a large part of a second, and twenty times as long
 * if its code is interpreted, as that of a small account is (`src/cli/v8-settings.ts`). These options
 * belong to the process, which may change them at any time, so they are set for each comparison.
 */
parentPort?.on('message', ({ password, hash }: PasswordComparison) => {
  for (const option of compiledCode) setFlagsFromString(option);
  parentPort?.postMessage(compareSync(password, hash));
});
