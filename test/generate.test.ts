import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

test('npm run generate selects the tests of all generated files by their names', async () => {
  const { scripts } = z
    .object({ scripts: z.object({ generate: z.string() }) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const name = /-t "([^"]+)"/.exec(scripts.generate)?.[1] ?? 'no name';
  for (const path of [
    ...['test/alerts/rule-files.test.ts', 'test/dashboards.test.ts', 'test/deploy/helm.test.ts'],
    ...['test/deploy/kubernetes.test.ts', 'test/deploy/chart-rules.test.ts'],
  ]) {
    expect(await readFile(join(root, path), 'utf8'), path).toContain(name);
  }
});
