import { describe, expect, test } from 'vitest';
import {
  emailReportList,
  publicReportList,
  sharedReportList,
} from '../../../src/api/resources/account-reports.ts';

describe('emailReportList', () => {
  test('reads a full entry, without its recipients', () => {
    const entry = {
      id: 12345,
      name: 'Weekly',
      type: 'email',
      checkid: 85975,
      frequency: 'weekly',
      additionalemails: ['john@example.com'],
      contactids: [111250],
      include_paused: true,
    };

    expect(emailReportList.decode(entry)).toStrictEqual({
      id: 12345,
      frequency: 'weekly',
      checkId: 85975,
    });
  });

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
  test('reads a full entry, whose id is text, without its address', () => {
    const entry = {
      id: 'a1b2c3d4',
      name: 'Banner',
      checkid: 85975,
      auto: true,
      type: 'uptime',
      url: 'https://share.example.com/banners/a1b2c3d4',
      fromyear: 2010,
      frommonth: 1,
      fromday: 1,
      toyear: 2010,
      tomonth: 2,
      today: 1,
    };

    expect(sharedReportList.decode(entry)).toStrictEqual({ checkId: 85975, type: 'uptime' });
  });

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
