import { describe, expect, test } from 'vitest';
import { apiErrorReasons, remedyOf } from '../../src/api/errors.ts';

describe('the remedy', () => {
  test.each(['forbidden', 'not_found'] as const)(
    'for one check that is %s names the check',
    (reason) => {
      const remedy = remedyOf(reason, '3.1', true);
      expect(remedy).toContain('may have been deleted');
      expect(remedy).not.toMatch(/base URL|token/);
      expect(remedyOf(reason, '3.1')).not.toBe(remedy);
    },
  );

  test('names no time, because the page and the log know when the next attempt is', () => {
    const remedies = Object.values(apiErrorReasons).join(' ');
    expect(remedies).not.toMatch(/second|minute|hour/);
  });

  test('for an answer that is late leaves the limit and the server to the error', () => {
    expect(remedyOf('timeout', '3.1')).toMatch(/the proxy if the error says/);
    expect(remedyOf('timeout', '3.1')).toMatch(/that the error names: timeouts\.connect, /);
  });

  test('for a rejected request points to the words of the service', () => {
    expect(remedyOf('bad_request', '3.1')).toContain('its own words');
  });
});
