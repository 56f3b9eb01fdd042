#!/usr/bin/env node
import { run } from './cli/run.ts';

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

process.exitCode = await run({
  argv: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  onHangup: (listener) => process.on('SIGHUP', listener),
  untilStopped: () =>
    new Promise((resolve) => {
      for (const signal of stopSignals) process.once(signal, resolve);
    }),
});
