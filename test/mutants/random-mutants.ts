import { hashUnit } from '../../src/lib/random.ts';

/** A file with one operator changed. */
export interface RandomMutant {
  readonly file: string;
  readonly line: number;
  readonly change: string;
  readonly text: string;
}

const swaps = {
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' + ': ' - ',
  ' - ': ' + ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' === ': ' !== ',
  ' !== ': ' === ',
  'Math.max(': 'Math.min(',
  'Math.min(': 'Math.max(',
} as const satisfies Readonly<Record<string, string>>;

/** Some different mutants of the files; the same seed gives the same ones. */
export function drawMutants(
  sources: ReadonlyMap<string, string>,
  count: number,
  seed: number,
): readonly RandomMutant[] {
  const left = [...sources].flatMap(([file, source]) => mutantsOf(file, source));
  return Array.from({ length: Math.min(count, left.length) }, (_, draw) =>
    left.splice(Math.floor(hashUnit(seed, draw) * left.length), 1),
  ).flat();
}

function mutantsOf(file: string, source: string): RandomMutant[] {
  return source.split('\n').flatMap((code, at, lines) => {
    if (/^\s*(?:\*|\/|import |export type |export interface )/.test(code)) return [];
    return Object.entries(swaps).flatMap(([operator, other]) => {
      const place = code.indexOf(operator);
      if (place === -1) return [];
      const changed = code.slice(0, place) + other + code.slice(place + operator.length);
      const text = lines.with(at, changed).join('\n');
      return [{ file, line: at + 1, change: `${code.trim()} → ${changed.trim()}`, text }];
    });
  });
}
