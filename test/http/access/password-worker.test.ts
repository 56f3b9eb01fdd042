import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Whether V8 compiles what runs often, before a comparison and after it. */
const program = `
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
const isCompiled = () => {
  const sum = new Function('let sum = 0; for (let i = 0; i < 1000; i++) sum += i % 7; return sum;');
  for (let run = 0; run < 2000; run++) sum();
  return (%GetOptimizationStatus(sum) & 16) !== 0;
};
const before = isCompiled();
const thread = new Worker(process.argv[1], { execArgv: [] });
thread.postMessage({ password: 'secret', hash: '$2b$04$KNd7Tulzvy4vjnHVgharX.IPZX9OTOCgRWJttTDqnHyyvjtEvqIV.' });
const [isRight] = await once(thread, 'message');
await thread.terminate();
console.log(JSON.stringify({ before, isRight, after: isCompiled() }));
`;

test('passwords are compared by compiled code, also in a process that interprets the rest', () => {
  const worker = new URL('../../../build/http/access/password-worker.js', import.meta.url).pathname;
  const interpreted = [
    '--no-opt',
    '--no-maglev',
    '--no-sparkplug',
    '--no-concurrent-recompilation',
  ];

  const natives = ['--allow-natives-syntax', '--input-type=module'];
  const options = [...interpreted, ...natives, '--eval', program, worker];
  const { before, isRight, after } = JSON.parse(execFileSync(process.execPath, options).toString());

  expect({ before, isRight, after }).toEqual({ before: false, isRight: true, after: true });
});
