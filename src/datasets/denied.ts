import { ApiError } from '../api/errors.ts';

/** The service does not let the account read it. */
export function isDenied(error: unknown): error is ApiError {
  return error instanceof ApiError && ['forbidden', 'not_found'].includes(error.reason);
}
