import { expect, test } from 'vitest';
import { sandboxOperations } from '../../src/operations/operations.ts';
import { apiVersions } from '../../src/vocabulary.ts';

test('names are unique in each version, and every operation has its own method and path', () => {
  const names = sandboxOperations.flatMap(({ name, versions }) =>
    versions.map((version) => `${version} ${name}`),
  );
  const places = sandboxOperations.flatMap(({ method, path, versions }) =>
    versions.map((version) => `${version} ${method} ${path.replace(/:\w+/g, ':')}`),
  );

  expect(new Set(names).size).toBe(names.length);
  expect(new Set(places).size).toBe(places.length);
});

test.each(sandboxOperations.map((operation) => [operation.name, operation] as const))(
  '%s is described and takes its path parameters from the path alone',
  (_name, operation) => {
    const inPath = [...operation.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');

    expect(operation.summary).toMatch(/^\S.{4,120}[^.]$/);
    expect(operation.versions.length).toBeGreaterThan(0);
    for (const version of apiVersions) {
      const parameters = operation.parameters(version);
      expect(new Set(parameters).size).toBe(parameters.length);
      expect(parameters.filter((name) => inPath.includes(name))).toEqual([]);
    }
    if (operation.method === 'get') expect(operation.body).toBe('none');
  },
);
