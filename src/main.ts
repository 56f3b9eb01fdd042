#!/usr/bin/env node
import { SighupHandler } from './cli/signals.ts';

const hangUps = new SighupHandler(process);
const stopSignals = ['SIGTERM', 'SIGINT'] as const;

// The reader of the log may go away, and its disk may be full: lines are lost then, not the exporter.
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`cannot write the output: ${message}\n`);
  process.exitCode = 1;
});

// Loading this takes a while, in which a hang-up would end the process if nobody listened.
const { run } = await import('./cli/run.ts');

const exitCode = await run({
  argv: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  sighup: hangUps,
  untilStopped: () =>
    new Promise((resolve) => {
      for (const signal of stopSignals) process.once(signal, resolve);
    }),
});
if (exitCode !== 0) process.exitCode = exitCode;
