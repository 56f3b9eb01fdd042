import { type Inputs, wordParameter } from '../query-parameters.ts';

/** The entries, which are oldest first, in the order asked for. */
export function inOrder<T>(inputs: Inputs, oldestFirst: readonly T[]): readonly T[] {
  const order = wordParameter(inputs, 'order', ['asc', 'desc']);
  return order === 'desc' ? oldestFirst.toReversed() : oldestFirst;
}
