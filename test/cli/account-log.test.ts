import { expect, test } from 'vitest';
import { ApiError, type ApiErrorReason } from '../../src/api/errors.ts';
import { AccountLog } from '../../src/cli/account-log.ts';
import type { Log } from '../../src/lib/log.ts';
import { StoreError } from '../../src/store/store-error.ts';

function setUp() {
  const lines: string[] = [];
  const at = (level: string) => (_facts: object, message: string) => {
    if (level !== 'debug') lines.push(`${level}: ${message}`);
  };
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { accountLog: new AccountLog(log, 'shop'), lines };
}

function failure(reason: ApiErrorReason): ApiError {
  return new ApiError({ reason, operation: 'list_checks', message: 'failed' });
}

test('a run of failures is two lines, its beginning and its end', () => {
  const { accountLog, lines } = setUp();
  accountLog.refreshed('checks', 3, []);
  for (let times = 0; times < 5; times++) accountLog.failed('checks', failure('timeout'));
  accountLog.refreshed('checks', 3, []);
  accountLog.refreshed('checks', 3, []);
  expect(lines).toEqual([
    'info: first refresh done',
    'warn: refresh fails; the last data stay until they are stale',
    'info: refresh works again',
  ]);
});

test('another reason is another line', () => {
  const { accountLog, lines } = setUp();
  accountLog.failed('checks', failure('timeout'));
  accountLog.failed('checks', failure('unauthorized'));
  expect(lines).toHaveLength(2);
});

test('entries that are left out are told when they change', () => {
  const { accountLog, lines } = setUp();
  const rejected = [{ reason: 'shape', detail: 'entry 3: no id' }] as const;
  accountLog.refreshed('checks', 3, rejected);
  accountLog.refreshed('checks', 3, rejected);
  accountLog.refreshed('checks', 3, []);
  expect(lines).toEqual([
    'info: first refresh done',
    'warn: entries left out',
    'info: every entry is legible again',
  ]);
});

test('a failing store is an error once, until it works again', () => {
  const { accountLog, lines } = setUp();
  accountLog.stored();
  accountLog.storeFailed(new StoreError('full', 'no space left'));
  accountLog.storeFailed(new StoreError('full', 'no space left'));
  accountLog.stored();
  accountLog.stored();
  expect(lines).toEqual([
    'error: the store fails; counters stand still until it works again',
    'info: the store works again',
  ]);
});
