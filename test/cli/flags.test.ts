import { Command } from 'commander';
import { expect, test } from 'vitest';
import { readServeFlags, withRulesFlags, withServeFlags } from '../../src/cli/flags.ts';

/** Parses flags; an error throws, and prints nothing. */
function parse(command: Command, flags: readonly string[]): Command {
  return command
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .parse(flags, { from: 'user' });
}

const parsed = (...flags: readonly string[]) =>
  readServeFlags(parse(withServeFlags(new Command('serve')), flags)).given;

const [enabled, interval] = ['--config.enable-auto-reload', '--config.auto-reload-interval'];

test.each([
  [[], undefined],
  [[`${interval}=10s`], undefined],
  [[enabled], 30],
  [[enabled, `${interval}=1s`], 1],
  [[enabled, `${interval}=1d`], 86_400],
])('with %j the configuration is reloaded every %s seconds', (flags, seconds) => {
  expect(parsed(...flags).autoReloadSeconds).toBe(seconds);
});

test.each(['999ms', '86401s', 'often'])('an interval of %s is refused', (text) => {
  expect(() => parsed(enabled, `${interval}=${text}`)).toThrow('1s to 1d');
});

const divisorOf = (text: string) =>
  parse(withRulesFlags(new Command('rules')), [`--time-divisor=${text}`]).opts().timeDivisor;

test.each(['1', '1.5', '1000'])('durations are divided by %s', (text) => {
  expect(divisorOf(text)).toBe(Number(text));
});

test.each(['0.9', '1001', 'x'])('durations are not divided by %s', (text) => {
  expect(() => divisorOf(text)).toThrow('allowed: 1 to 1000');
});
