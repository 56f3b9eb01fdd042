import { expect } from 'vitest';
import fc from './fast-check.ts';

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...parts.flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

/** A copy with another value at the path. */
function withOther(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((part, index) => (`${index}` === key ? withOther(part, rest, other) : part));
  }
  const changed = withOther((value as Record<string, unknown>)[key], rest, other);
  return { ...value, [key]: changed };
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', '0', 'YES', 'up', -1, 0, 0.5, 2 ** 53, 1e308, true, [], {}),
  fc.constantFrom<unknown>(undefined, '\ud800', [[]], [null], [{}], { id: 1 }, '9'.repeat(40)),
  fc.constantFrom<unknown>('9999-12-31T23:59:60Z', '2021-02-31T00:00:00+99:99', 'private'),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Responses as JSON text that resemble a correct one, with a few odd parts. */
export function oddResponses(good: unknown): fc.Arbitrary<string> {
  const change = fc.record({ path: fc.constantFrom(...pathsOf(good)), other: odd });
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const response = changes.reduce<unknown>(
      (value, { path, other }) => withOther(value, path, other),
      good,
    );
    return JSON.stringify(response) ?? '';
  });
}

/**
 * Numbers are finite, ids positive, texts valid and not empty, and no value is undefined or null.
 */
export function assertSound(value: unknown, key = ''): void {
  if (typeof value === 'number') {
    expect(Number.isFinite(value)).toBe(true);
    if (/id$/i.test(key)) expect(Number.isSafeInteger(value) && value > 0).toBe(true);
    if (/Seconds$/.test(key)) expect(value).toBeGreaterThanOrEqual(0);
  } else if (typeof value === 'string') {
    expect(value.isWellFormed() && value !== '').toBe(true);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) assertSound(part, name);
  } else {
    expect(typeof value).toBe('boolean');
  }
}
