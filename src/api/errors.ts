/**
 * Every way in which a request can fail: what it means and what an operator does about it. The one
 * source for the `reason` label, the log, the status page and the documentation.
 */
export const apiErrorReasons = {
  timeout: 'The service did not answer in time. Look at its status page and at the network.',
  dns: 'The host name does not resolve. Check the base URL and the resolver.',
  connection: 'No connection, or it broke. Check the network, firewall and proxy.',
  tls: 'The TLS handshake failed. Check the certificate, the clock and the CA file.',
  truncated: 'The reply ended early. It is tried again; if it stays, look at proxies in between.',
  encoding: 'The reply could not be decompressed or is not UTF-8. Look at proxies in between.',
  too_large: 'The reply is larger than the limit for bodies. Raise the limit if that is right.',
  not_json: 'The reply is not JSON: often an error page of a proxy. Check the base URL.',
  shape:
    'The reply is JSON but not what the API describes. Check the base URL and the API version.',
  redirect:
    'The service redirects; credentials are never sent along. Use the address it points to.',
  bad_request: 'The service refused the request as malformed. Please report this as a bug.',
  unauthorized: 'The service does not accept the credentials. Check or renew the token.',
  forbidden: 'The credentials are not allowed to read this. Check the access of the token.',
  not_found: 'The service does not know this path or item. Check the base URL.',
  rate_limited:
    'The service refuses more requests for now. Polling goes on by itself: after the reset of a window that is used up, else after a pause that grows with each refusal.',
  server_error: 'The service failed. It is tried again; look at its status page.',
  inconsistent: 'The list changed while it was read page by page. It is read again.',
  budget: 'The request was not sent: it would have taken the account below its reserve.',
  unsupported: 'This version of the API cannot be asked for that. Nothing was sent.',
  internal: 'The exporter made a mistake. Please report this as a bug.',
  aborted: 'The request was given up because the exporter stops or reloads.',
} as const;

export type ApiErrorReason = keyof typeof apiErrorReasons;

export interface ApiErrorDetails {
  readonly reason: ApiErrorReason;
  /** The operation that failed, as in the `operation` label. */
  readonly operation: string;
  /** One sentence, free of secrets. */
  readonly message: string;
  /** Status code of the reply, if there was one. */
  readonly statusCode?: number;
  readonly cause?: unknown;
}

/** The one family of errors that the client raises; `reason` says which. */
export class ApiError extends Error {
  override readonly name = 'ApiError' as const;
  readonly reason: ApiErrorReason;
  readonly operation: string;
  readonly statusCode: number | undefined;

  constructor(details: ApiErrorDetails) {
    super(`${details.operation}: ${details.message}`, { cause: details.cause });
    this.reason = details.reason;
    this.operation = details.operation;
    this.statusCode = details.statusCode;
  }
}
