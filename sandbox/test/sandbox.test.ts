import { expect, test } from 'vitest';
import type { QuirkName } from '../src/faults/quirks.ts';
import { createSandbox, type SandboxOptions } from '../src/sandbox.ts';
import { VirtualClock } from './support/virtual-clock.ts';

const clock = new VirtualClock();
const create = (options: Partial<SandboxOptions>) =>
  createSandbox({ clock, limitsClock: clock, token: 'secret', ...options });

test.each<[Partial<SandboxOptions>, string]>([
  [{ checks: -1 }, 'checks must be a whole number from 0 to 50000, not -1'],
  [{ checks: 50_001 }, 'checks must be a whole number from 0 to 50000, not 50001'],
  [{ checks: 1.5 }, 'checks must be a whole number from 0 to 50000, not 1.5'],
  [{ seed: Number.NaN }, 'seed must be a whole number of 0 or more, not NaN'],
  [{ shortLimit: 0 }, 'shortLimit must be a whole number of 1 or more, not 0'],
  [{ longLimit: -5 }, 'longLimit must be a whole number of 1 or more, not -5'],
  [{ startedAt: 0.5 }, 'startedAt must be a whole number of 0 or more, not 0.5'],
  [{ token: '' }, 'token must be text without white space'],
  [{ token: 'a b' }, 'token must be text without white space'],
  [{ readOnlyToken: 'secret' }, 'readOnlyToken must not be the token'],
  [{ readOnlyToken: 'a b' }, 'readOnlyToken must be text without white space'],
  [{ clock: 7 as never }, 'clock must be a clock'],
  [{ wire: { missedOutages: 2 } }, 'missedOutages must be a number from 0 to below 1, not 2'],
  [{ email: '' }, 'email must not be empty'],
  [{ email: 'a:b@example.com' }, 'email must not contain a colon'],
  [{ password: '' }, 'password must not be empty'],
  [{ appKey: '' }, 'appKey must not be empty'],
  [{ accountEmail: '' }, 'accountEmail must not be empty'],
  [
    { quirks: ['sideways' as QuirkName] },
    'quirks[0] must be one of extra-fields, severity_level, absurd-values, no-limit-headers, mixed-case-limit-headers, not "sideways"',
  ],
])('refuses %o', (options, message) => {
  expect(() => create(options)).toThrow(new RangeError(message));
});
