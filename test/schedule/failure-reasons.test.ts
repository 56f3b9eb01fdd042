import { expect, test } from 'vitest';
import { classifyNetworkError } from '../../src/api/http/network-errors.ts';
import { serviceReasons } from '../../src/schedule/failure-reasons.ts';

test.each([
  'ENOTFOUND',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'CERT_HAS_EXPIRED',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])('%s concerns the service: when it responds again, nothing waits any more', (code) => {
  const { reason } = classifyNetworkError(Object.assign(new Error(), { code }), 'headers');
  expect(serviceReasons).toContain(reason);
});
