import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The chart's values are the source. Manifests that users copy repeat the number. */
const [, cap = ''] =
  /^maxHeapMegabytes: (\d+)$/m.exec(read('deploy/helm/uptime-exporter/values.yaml')) ?? [];

/** The default of Node.js 20; newer versions have more. */
const youngGeneration = '--max-semi-space-size=16';

test.each([
  'Dockerfile',
  'deploy/systemd/uptime-exporter.service',
  'deploy/kubernetes/exporter.yaml',
])('%s caps the heap as the chart does', (file) => {
  const caps = [...read(file).matchAll(/--max-old-space-size=(\d+)/g)].map(([, number]) => number);

  expect(caps).toEqual([cap]);
  expect(read(file)).toContain(`${cap} ${youngGeneration}`);
});

test.each(['Dockerfile', 'deploy/systemd/uptime-exporter.service'])(
  '%s sets the allocator as the benchmark does',
  (file) => {
    const set = [...read(file).matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    const measured = [...read('bench/process/serve.ts').matchAll(/\b(MALLOC_\w+): '(\d+)'/g)].map(
      ([, name, value]) => [name, value],
    );

    expect(measured).toHaveLength(2);
    expect(set).toEqual(measured);
  },
);

test('the installation guide and the benchmark name the same cap', () => {
  expect(read('docs/installation.md')).toContain(`The JavaScript heap is capped at ${cap} MiB`);
  expect(read('bench/process/serve.ts')).toContain(
    `'--max-old-space-size=${cap} ${youngGeneration}'`,
  );
});
