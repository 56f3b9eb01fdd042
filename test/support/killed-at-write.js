// Loaded into a process before its program (--import), it kills that process with SIGKILL right after
// its nth write to the store since SIGUSR2, so that a kill is at the same point on every machine.
// KILLED_AT_WRITE is n, or `n,start` to count from the start. A write is a statement that SQLite has
// executed, or that was sent to PostgreSQL: within a transaction, its begin or its end.
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const name = 'killed-at-write';
const [count, from] = (process.env.KILLED_AT_WRITE ?? '').split(',');
if (isMainThread) setEnvironmentData(name, new SharedArrayBuffer(4));
/** How many writes are left, in all threads; 0 while they are not counted. */
const left = new Int32Array(getEnvironmentData(name));

function written() {
  if (Atomics.load(left, 0) > 0 && Atomics.sub(left, 0, 1) === 1)
    process.kill(process.pid, 'SIGKILL');
}

/** `method` of `prototype` counts as a write when it has returned. */
function watch(prototype, method) {
  const original = prototype[method];
  prototype[method] = function (...values) {
    const result = original.apply(this, values);
    written();
    return result;
  };
}

if (isMainThread) {
  const begin = () => Atomics.store(left, 0, Number(count));
  if (from === 'start') begin();
  process.on('SIGUSR2', begin);
  const { default: pg } = await import('pg');
  watch(pg.Client.prototype, 'query');
} else {
  const { default: Database } = await import('libsql');
  watch(Database.prototype, 'exec');
  watch(Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')), 'run');
}
