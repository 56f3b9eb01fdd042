// Loaded into a process before its program (--import), it makes the time of that process run faster. In step
// with a sandbox on a scaled clock, SCALED_TIME is the factor and the wall time from which on it holds.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const [scale, since] = (process.env.SCALED_TIME ?? '1,0').split(',').map(Number);
const { now } = Date;
const monotonic = performance.now.bind(performance);
const delay = timers.setTimeout;

Date.now = () => Math.round(now() + (now() - since) * (scale - 1));
performance.now = () => monotonic() * scale;
timers.setTimeout = (milliseconds, ...rest) => delay(milliseconds / scale, ...rest);
syncBuiltinESMExports();
