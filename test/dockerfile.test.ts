import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { revisionVariable } from '../src/config/environment.ts';

const root = join(import.meta.dirname, '..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

test('the image states the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(dockerfile).toContain(`org.opencontainers.image.version="${version}"`);
});

test('the revision that the image is built from reaches its label and the metrics', () => {
  expect(dockerfile).toMatch(/^ARG REVISION$/m);
  expect(dockerfile).toContain(`org.opencontainers.image.revision="\${REVISION}"`);
  expect(dockerfile).toContain(`${revisionVariable}="\${REVISION}"`);
});

test('image, unit and chart cap the heap alike', () => {
  const caps = ['Dockerfile', 'deploy/systemd/uptime-exporter.service'].map(
    (path) => readFileSync(join(root, path), 'utf8').match(/--max-old-space-size=(\d+)/)?.[1],
  );
  const values = readFileSync(join(root, 'deploy/helm/uptime-exporter/values.yaml'), 'utf8');
  caps.push(values.match(/^maxHeapMegabytes: (\d+)$/m)?.[1]);
  expect(new Set(caps).size).toBe(1);
  expect(caps[0]).toBeDefined();
});
