import { expect, test } from 'vitest';
import { AccountListeners } from '../../src/app/account-events.ts';

test('an event reaches the listeners that handle it, in the order in which they were added', () => {
  const listeners = new AccountListeners();
  const heard: string[] = [];
  class Counter {
    #count = 0;
    groupsDropped(groups: number): void {
      this.#count += groups;
      heard.push(`counted ${this.#count}`);
    }
  }
  const { tagIgnored, groupsDropped } = listeners.events;
  listeners.add(new Counter(), { tagIgnored: (tag) => heard.push(`ignored ${tag}`) });
  listeners.add({ groupsDropped: (groups) => heard.push(`dropped ${groups}`) });

  groupsDropped(2);
  tagIgnored('slo-100');
  groupsDropped(3);

  expect(heard).toEqual(['counted 2', 'dropped 2', 'ignored slo-100', 'counted 5', 'dropped 3']);
});

test('an event without a listener is dropped', () => {
  expect(() => new AccountListeners().events.stored()).not.toThrow();
});
