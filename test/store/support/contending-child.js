// Takes the lock and lets go of it when it is told to, and answers with what has come of it.
import { setTimeout as delay } from 'node:timers/promises';
import { PathLock } from '../../../build/store/path-lock.js';

const [path] = process.argv.slice(2);
let lock;

process.on('message', async ({ takeAfterMilliseconds }) => {
  if (takeAfterMilliseconds === undefined) {
    await lock?.release();
    lock = undefined;
    process.send('free');
    return;
  }
  await delay(takeAfterMilliseconds);
  try {
    lock = await PathLock.take(path);
    process.send('held');
  } catch (error) {
    process.send(error.reason ?? String(error));
  }
});
process.send('ready');
