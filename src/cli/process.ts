import { setFlagsFromString } from 'node:v8';
import { SighupHandler, StopSignals } from './terminal.ts';
import { v8Settings } from './v8-settings.ts';

// Optimizing the parser of HTTP responses and that of CommonJS modules, both WebAssembly, would
// take 30 MB for a moment, which the allocator keeps.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
// Before the modules are loaded: their garbage would make the heap grow.
const workload = v8Settings();

const sighup = new SighupHandler(process);
const stopSignals = new StopSignals(process);

// The reader of the log may close the pipe, and its disk may be full: lines are lost, but the
// exporter keeps running.
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`cannot write the output: ${message}\n`);
  process.exitCode = 1;
});

// Loading this takes a while, during which an unhandled SIGHUP would end the process.
const { run } = await import('./run.ts');

const exitCode = await run({
  argv: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  sighup,
  workload,
  untilStopped: () => stopSignals.received(),
});
if (exitCode !== 0) process.exitCode = exitCode;
