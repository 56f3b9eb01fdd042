import { describe, expect, test } from 'vitest';
import {
  emailReportList,
  publicReportList,
  sharedReportList,
} from '../../../src/api/resources/account-reports.ts';

describe('emailReportList', () => {
  test.each([
    ['absent', {}],
    ['null', { checkid: null }],
    ['zero', { checkid: 0 }],
    ['empty', { checkid: '' }],
  ])('is about all checks when checkid is %s', (_kind, fields) => {
    expect(emailReportList.decode({ id: '1', frequency: 'monthly', ...fields })).toStrictEqual({
      id: 1,
      frequency: 'monthly',
    });
  });

  test.each([
    ['daily', 'daily'],
    ['Monthly', 'monthly'],
    ['yearly', 'unknown'],
    [undefined, 'unknown'],
    [7, 'unknown'],
  ])('reads the frequency %j as %s', (frequency, expected) => {
    expect(emailReportList.decode({ id: 1, frequency })?.frequency).toBe(expected);
  });

  test.each([[null], [{}], [{ id: 'x' }]])('is undefined without a valid id: %j', (entry) => {
    expect(emailReportList.decode(entry)).toBeUndefined();
  });
});

describe('publicReportList', () => {
  test.each([85975, '85975'])('reads the check %j, without name and address', (checkid) => {
    const entry = { checkid, checkname: 'My check 1', reporturl: 'https://example.com/x/1' };

    expect(publicReportList.decode(entry)).toStrictEqual({ checkId: 85975 });
  });

  test.each([[null], [{}], [{ checkid: null }]])('is undefined without a check: %j', (entry) => {
    expect(publicReportList.decode(entry)).toBeUndefined();
  });
});

describe('sharedReportList', () => {
  test.each([
    ['response', 'response'],
    ['Uptime', 'uptime'],
    ['sideways', 'unknown'],
    [null, 'unknown'],
  ])('reads the type %j as %s', (type, expected) => {
    expect(sharedReportList.decode({ checkid: '1', type })).toEqual({ checkId: 1, type: expected });
  });

  test.each([[null], [{}], [{ id: 'a' }]])('is undefined without a check: %j', (entry) => {
    expect(sharedReportList.decode(entry)).toBeUndefined();
  });
});
