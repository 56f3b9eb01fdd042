import type { ApiErrorReason } from './errors.ts';

/** With this message a 403 stands for a check that does not exist. */
const unknownCheck = /invalid check identifier/i;

/** What a status code other than success means (API 3.1, section 7); undefined for success. */
export function statusFailure(
  statusCode: number,
  serviceMessage: string | undefined,
): ApiErrorReason | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (statusCode >= 500) return 'server_error';
  if (statusCode < 400) return 'redirect';
  switch (statusCode) {
    case 401:
      return 'unauthorized';
    case 403:
      return unknownCheck.test(serviceMessage ?? '') ? 'not_found' : 'forbidden';
    case 404:
      return 'not_found';
    case 429:
      return 'rate_limited';
    default:
      return 'bad_request';
  }
}
