import { expect, test } from 'vitest';
import { autoReload, ConfigurationFiles } from '../../src/app/reload.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** A configuration that names a file with a secret. Its files are compared every 30 seconds. */
function watched() {
  const texts = new Map([
    ['uptime.yaml', 'token'],
    ['token', 'one'],
  ]);
  const files = new ConfigurationFiles((path) => {
    const text = texts.get(path);
    if (text === undefined) throw new Error(`${path}: no such file`);
    return text;
  });
  const read = () => files.reading((readText) => readText(readText('uptime.yaml')));
  read();
  let reloads = 0;
  const store = { fails: false };
  const reload = async () => {
    reloads++;
    try {
      read();
    } catch {
      // Like the exporter, it keeps its configuration.
      return {};
    }
    return store.fails ? { isUnapplied: true as const } : {};
  };
  const clock = new VirtualClock();
  const ended = new AbortController();
  const done = autoReload({ files, intervalSeconds: 30, reload, clock }, ended.signal);
  const reloadsAfter = async (seconds: number) => {
    await clock.advance(seconds * 1_000);
    return reloads;
  };
  return { texts, store, clock, ended, done, reloadsAfter };
}

test('a reload follows a change of the file, or of one that it names, and nothing else', async () => {
  const { texts, reloadsAfter } = watched();

  expect(await reloadsAfter(120)).toBe(0);
  texts.set('token', 'two');
  expect(await reloadsAfter(29)).toBe(0);
  expect(await reloadsAfter(1)).toBe(1);
  expect(await reloadsAfter(120)).toBe(1);
  texts.set('uptime.yaml', 'other').set('other', 'x');
  expect(await reloadsAfter(30)).toBe(2);
  texts.set('token', 'three');
  expect(await reloadsAfter(60)).toBe(2);
});

test('what cannot be used is tried again when it has changed, not before', async () => {
  const { texts, reloadsAfter } = watched();

  texts.delete('token');
  expect(await reloadsAfter(30)).toBe(1);
  expect(await reloadsAfter(120)).toBe(1);
  texts.set('token', 'one');
  expect(await reloadsAfter(30)).toBe(2);
});

test('a valid configuration that cannot be applied is tried again, without another change', async () => {
  const { texts, store, reloadsAfter } = watched();

  store.fails = true;
  expect(await reloadsAfter(60)).toBe(0);
  texts.set('token', 'two');
  expect(await reloadsAfter(90)).toBe(3);
  store.fails = false;
  expect(await reloadsAfter(120)).toBe(4);
});

test('it ends with the exporter', async () => {
  const { clock, ended, done, reloadsAfter } = watched();
  await reloadsAfter(30);

  ended.abort();
  await done;

  expect(clock.sleepers).toBe(0);
});
