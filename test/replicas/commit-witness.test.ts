import { describe, expect, test } from 'vitest';
import { fenceProblems } from './support/commit-witness.ts';

const take = (replica: string) => ({ replica, isTake: true, at: 0 });
const commit = (replica: string) => ({ replica, isTake: false, at: 0 });

describe('the changes of a fence', () => {
  test('come from the replica that took the account last', () => {
    const changes = [commit('a'), commit('a'), take('b'), commit('b'), take('a'), commit('a')];
    expect(fenceProblems(changes)).toEqual([]);
  });

  test('show a commit of a former holder', () => {
    const changes = [take('a'), commit('a'), take('b'), commit('a'), commit('b')];
    expect(fenceProblems(changes)).toEqual(['a has committed although b had taken the account']);
  });
});
