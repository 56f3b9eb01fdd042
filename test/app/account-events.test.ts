import { expect, test } from 'vitest';
import { AccountListeners } from '../../src/app/account-events.ts';

test('an event reaches the listeners that handle it, in the order in which they were added', () => {
  const listeners = new AccountListeners();
  const heard: string[] = [];
  class Counter {
    #count = 0;
    groupsLeftOut(names: readonly string[]): void {
      this.#count += names.length;
      heard.push(`counted ${this.#count}`);
    }
  }
  const { tagIgnored, groupsLeftOut } = listeners.events;
  listeners.add(new Counter(), { tagIgnored: (tag) => heard.push(`ignored ${tag}`) });
  listeners.add({ groupsLeftOut: (names) => heard.push(`dropped ${names}`) });

  groupsLeftOut(['a', 'b']);
  tagIgnored('slo-100');
  groupsLeftOut(['a', 'b', 'c']);

  expect(heard).toEqual([
    'counted 2',
    'dropped a,b',
    'ignored slo-100',
    'counted 5',
    'dropped a,b,c',
  ]);
});

test('an event without a listener is dropped', () => {
  expect(() => new AccountListeners().events.stored()).not.toThrow();
});
