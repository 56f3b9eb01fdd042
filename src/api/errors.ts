import type { ApiVersion } from '../domain/version.ts';

/**
 * Every reason why a request can fail, with its meaning and its remedy. The `reason` label, the
 * log, the status page and the documentation are made from this table.
 */
export const apiErrorReasons = {
  timeout:
    'The service did not answer in time. Check its status page and the network, or the proxy if the error says that it did not answer. If it is only slow, raise the limit that the error names: timeouts.connect, timeouts.headers, timeouts.body or timeouts.total.',
  dns: 'The host name does not resolve. Check the base URL and the resolver.',
  connection: 'The connection failed or broke. Check the network, firewall and proxy.',
  tls: 'The TLS handshake failed. Check the certificate, the clock and the CA file.',
  not_tls:
    'The server does not use TLS on this port. Correct the port in the base URL or, for plain HTTP, write http:// and set insecure_http.',
  truncated: 'The response ended early and is retried. If this persists, check proxies on the way.',
  encoding: 'The response could not be decompressed or is not UTF-8. Check proxies on the way.',
  too_large: 'The response is larger than max_body_size. Raise the limit if the size is plausible.',
  not_json:
    'The response is not JSON, often because it is an error page of a proxy. Check the base URL.',
  shape: 'The response is JSON but does not match the API. Check the base URL and the API version.',
  redirect:
    'The service redirects; credentials are never forwarded. Use the address it redirects to.',
  bad_request: 'The service rejected the request. The error shows its own words.',
  refused:
    'The service did not accept the credentials this time, which happens to valid ones now and then. The next check list decides. If the credentials are new, check them; if only other data stay refused, check what the token may read.',
  unauthorized:
    'The service does not accept the credentials. Check or renew the token; for API 2.x, check e-mail address, password and application key.',
  blocked:
    'The request was refused on the way, because the response does not have the form of the API. Check proxies and firewalls between the exporter and the service.',
  blocked_or_unauthorized:
    'Requests are refused on the way, or the credentials are no longer valid. Check proxies and firewalls between the exporter and the service, and the credentials.',
  forbidden: 'The credentials may not read this. Check the permissions of the token.',
  not_found:
    'The service does not know this path or item. If every request fails like this, check the base URL.',
  rate_limited:
    'The service rejects requests for now. Polling resumes by itself: after the reset of an exhausted window, at the time that Retry-After names, else after a pause that grows with each rejection.',
  server_error: 'The service failed. The request is retried; check the status page of the service.',
  inconsistent: 'The list changed while its pages were read. It is read again.',
  budget: 'The request was not sent because it would have used the reserve of the account.',
  unsupported: 'The API version does not have this operation. Nothing was sent.',
  internal: 'Bug in the exporter. Please report it.',
  aborted: 'The request was aborted because the exporter is stopping or reloading.',
} as const;

export type ApiErrorReason = keyof typeof apiErrorReasons;

/** Failures without a response whose headers could be read. */
export const reasonsWithoutResponse: readonly ApiErrorReason[] = [
  'timeout',
  'dns',
  'connection',
  'tls',
  'not_tls',
];

const onTheWay =
  'Something on the way refuses the requests: check proxies and firewalls between the exporter and the service.';

const reasonsByVersion = [
  'unauthorized',
  'forbidden',
  'not_found',
  'blocked_or_unauthorized',
] as const;
type ReasonByVersion = (typeof reasonsByVersion)[number];

/** API 3.1 has a token; the older versions have an e-mail address, a password and a key. */
const remediesByCredentials: {
  readonly [K in 'token' | 'user']: { readonly [R in ReasonByVersion]: string };
} = {
  token: {
    unauthorized: 'The service does not accept the token. Check or renew it.',
    forbidden: apiErrorReasons.forbidden,
    not_found: apiErrorReasons.not_found,
    blocked_or_unauthorized: `${onTheWay} Or the token is no longer valid: check or renew it.`,
  },
  user: {
    unauthorized:
      'The service does not accept the credentials. Check e-mail address, password and application key.',
    forbidden:
      'The user may not read this. If the account belongs to another user, set account_email to the address of that user. Check the permissions of the user.',
    not_found:
      'The service does not know this path or item. If every request fails like this, this version of the API may have ended: use version 3.1 and a token. Otherwise check the base URL.',
    blocked_or_unauthorized: `${onTheWay} Or the credentials are no longer valid: check e-mail address, password and application key.`,
  },
};

const itemRemedy =
  'The service does not show this check or transaction. It may have been deleted; it is skipped until the next list.';

/**
 * The meaning of a reason and its remedy, for an account of an API version, or for one check or
 * transaction of it.
 */
export function remedyOf(reason: ApiErrorReason, version: ApiVersion, isOfItem = false): string {
  if (isOfItem && (reason === 'forbidden' || reason === 'not_found')) return itemRemedy;
  const byVersion = reasonsByVersion.find((name) => name === reason);
  if (byVersion === undefined) return apiErrorReasons[reason];
  return remediesByCredentials[version === '3.1' ? 'token' : 'user'][byVersion];
}

interface ApiErrorDetails {
  readonly reason: ApiErrorReason;
  /** The operation that failed, as in the `operation` label. */
  readonly operation: string;
  /** One sentence, free of secrets. */
  readonly message: string;
  /** Status code of the response, if there was one. */
  readonly statusCode?: number;
  /** Seconds that the response asks to wait before the next request. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The only error that the client throws; `reason` is its kind. */
export class ApiError extends Error {
  override readonly name = 'ApiError' as const;
  readonly reason: ApiErrorReason;
  readonly operation: string;
  readonly statusCode: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly #details: ApiErrorDetails;

  constructor(details: ApiErrorDetails) {
    super(`${details.operation}: ${details.message}`, { cause: details.cause });
    this.#details = details;
    this.reason = details.reason;
    this.operation = details.operation;
    this.statusCode = details.statusCode;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** The same error, with the reason that other responses show. */
  withReason(reason: ApiErrorReason): ApiError {
    return new ApiError({ ...this.#details, reason });
  }
}
