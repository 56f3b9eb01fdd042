import { expect, test } from 'vitest';
import { Reloader, runningConfiguration } from '../../src/app/reload.ts';
import { defaultServing } from '../../src/config/serving.ts';
import { Scrubber } from '../../src/lib/secret.ts';
import { read } from '../config/support.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const account = '{ name: shop, base_url: "https://api.example.com", token: token-12345678 }';
const file = (sections: string) => read(`${sections}accounts: [${account}]`);

function running() {
  const first = file('objectives: { default: 0.999 }\nlabels: { promote: [{ from: hostname }] }\n');
  const common = { serving: defaultServing, servingOf: () => defaultServing, log: silent };
  return runningConfiguration({ read: () => first, first, ...common, scrubber: new Scrubber() });
}

test.each([
  ['nothing', 'objectives: { default: 0.999 }\nlabels: { promote: [{ from: hostname }] }\n', []],
  [
    'a value',
    'objectives: { default: 0.99 }\nlabels: { promote: [{ from: hostname }] }\n',
    ['objectives'],
  ],
  [
    'one section that is added and one that is left out',
    'objectives: { default: 0.999 }\ngroups: { from_tags: ["team:*"] }\n',
    ['labels', 'groups'],
  ],
  [
    'what takes a restart, which is logged by itself,',
    'log: { level: warn }\nobjectives: { default: 0.999 }\nlabels: { promote: [{ from: hostname }] }\n',
    [],
  ],
])('a configuration that changes %s names the sections', (_what, sections, changed) => {
  const configuration = running();
  expect(configuration.apply(file(sections))).toEqual(changed);
  expect(configuration.apply(file(sections))).toEqual([]);
});

test('a reload that fails tells whether the configuration was valid', async () => {
  const fails = { read: true, apply: true };
  const thrown = (message: string): never => {
    throw new Error(message);
  };
  const reloader = new Reloader({
    read: () => (fails.read ? thrown('no such key') : file('')),
    apply: async () =>
      fails.apply ? thrown('disk full') : { sections: [], added: [], changed: [], removed: [] },
    shown: () => '',
    onReload: () => {},
    clock: new VirtualClock(),
    log: silent,
    scrubber: new Scrubber(),
  });

  const wrong = await reloader.reload();
  expect(wrong).toMatchObject({ failure: 'no such key' });
  expect(wrong).not.toHaveProperty('isUnapplied');
  fails.read = false;
  expect(await reloader.reload()).toMatchObject({ failure: 'disk full', isUnapplied: true });
  fails.apply = false;
  expect(Object.keys(await reloader.reload())).toEqual(['succeededAtSeconds']);
});
