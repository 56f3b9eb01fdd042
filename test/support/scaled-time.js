// Loaded into a process before its program (--import), it makes the clocks of that process run
// faster, in step with a sandbox on a scaled clock. SCALED_TIME is the factor, and the wall time at
// which scaling begins. With SCALED_TIMERS, sleeps are shorter too, so that everything happens as
// often as in real life.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const [scale, since] = (process.env.SCALED_TIME ?? '1,0').split(',').map(Number);
const { now } = Date;
const monotonic = performance.now.bind(performance);
const delay = timers.setTimeout;
const startTimer = globalThis.setTimeout;

Date.now = () => Math.round(now() + (now() - since) * (scale - 1));
performance.now = () => monotonic() * scale;
timers.setTimeout = (milliseconds, ...rest) => delay(milliseconds / scale, ...rest);
if (process.env.SCALED_TIMERS !== undefined) {
  globalThis.setTimeout = (action, milliseconds = 0, ...rest) =>
    startTimer(action, milliseconds / scale, ...rest);
}
syncBuiltinESMExports();
