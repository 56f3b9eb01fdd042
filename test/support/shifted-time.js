// Loaded into a process before its program (--import), it sets the clock of that process some
// milliseconds ahead (SHIFTED_TIME), and shortens its sleeps to a twentieth. Its monotonic clock is
// not changed.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const ahead = Number(process.env.SHIFTED_TIME ?? 0);
const { now } = Date;
const delay = timers.setTimeout;

Date.now = () => now() + ahead;
timers.setTimeout = (milliseconds, ...rest) => delay(milliseconds / 20, ...rest);
syncBuiltinESMExports();
