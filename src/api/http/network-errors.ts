import { TooLargeError } from '../../lib/read-capped.ts';
import type { ApiErrorReason } from '../errors.ts';

/** The progress of an attempt: it waits for the headers, or it is receiving the body. */
type AttemptPhase = 'headers' | 'body';

interface ClassifiedNetworkError {
  readonly reason: ApiErrorReason;
  /** The message of the system or library; must be scrubbed. */
  readonly text: string;
}

/** Codes of Node, OpenSSL, zlib and undici; the first row that matches decides. */
const reasonsByCode: readonly (readonly [RegExp, ApiErrorReason])[] = [
  [/^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ERR_SOCKET_CONNECTION_TIMEOUT)$/, 'timeout'],
  [/^(ENOTFOUND|EAI_\w+)$/, 'dns'],
  // OpenSSL's names for a first record of other text, such as a response in plain HTTP.
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/, 'not_tls'],
  [/^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|ERROR_IN_C)/, 'tls'],
  [/^(EPROTO|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|HOSTNAME_MISMATCH)$/, 'tls'],
  [/^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/, 'tls'],
  [/^Z_BUF_ERROR$/, 'truncated'],
  [/^Z_/, 'encoding'],
  [/^UND_ERR_INVALID_ARG$/, 'internal'],
];

/** The reason for every other error, such as a broken connection, which has no specific code. */
const reasonsByPhase: Readonly<Record<AttemptPhase, ApiErrorReason>> = {
  headers: 'connection',
  body: 'truncated',
};

export function classifyNetworkError(error: unknown, phase: AttemptPhase): ClassifiedNetworkError {
  const chain = errorChain(error);
  const text = chain.map(({ message }) => message).find((message) => message !== '') ?? 'failed';
  if (chain.some((link) => link instanceof TooLargeError)) return { reason: 'too_large', text };
  for (const { code, message } of chain) {
    const row = reasonsByCode.find(([pattern]) => pattern.test(code ?? ''));
    // The error with the code is the cause; errors around it may only say that a connection failed.
    if (row !== undefined) return { reason: row[1], text: message || text };
  }
  return { reason: reasonsByPhase[phase], text };
}

const maxChainLength = 20;

/** The error, its causes, and the errors in an AggregateError (one per address tried). */
function errorChain(error: unknown): (Error & { readonly code?: string })[] {
  const chain: Error[] = [];
  const open = [error];
  while (open.length > 0 && chain.length < maxChainLength) {
    const next = open.shift();
    if (!(next instanceof Error)) continue;
    chain.push(next);
    open.push(next.cause, ...(next instanceof AggregateError ? next.errors : []));
  }
  return chain;
}
