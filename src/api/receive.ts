import type { Dispatcher } from 'undici';
import { readCapped } from '../lib/read-capped.ts';
import type { Attempt } from './attempt.ts';
import { serviceMessage } from './service-message.ts';
import { statusFailure } from './status-failure.ts';

/** An error is a few words; a longer body is an error page that nobody reads. */
const maxErrorBodyBytes = 64 * 1024;

/**
 * The body of a response that reports success, decompressed. Whatever happens, the body is consumed or
 * its connection closed.
 *
 * Rejects with an `ApiError` when the service refused, else with what made the reading fail.
 */
export async function receive(
  attempt: Attempt,
  response: Dispatcher.ResponseData,
  maxBodyBytes: number,
): Promise<Buffer> {
  const { statusCode } = response;
  if (statusFailure(statusCode, undefined) === undefined) {
    return readBody(attempt, response, maxBodyBytes);
  }
  const words = await readRefusal(attempt, response);
  const reason = statusFailure(statusCode, words) ?? 'bad_request';
  throw attempt.refusal(reason, statusCode, words);
}

/** The status alone tells what happened, so a broken body does no harm, unless the caller has left. */
async function readRefusal(
  attempt: Attempt,
  response: Dispatcher.ResponseData,
): Promise<string | undefined> {
  try {
    return serviceMessage(await readBody(attempt, response, maxErrorBodyBytes));
  } catch (error) {
    if (attempt.givenUp) throw error;
    return undefined;
  }
}

async function readBody(
  attempt: Attempt,
  { headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Buffer> {
  const encoding = `${headers['content-encoding'] ?? 'identity'}`.trim().toLowerCase();
  const gzip = encoding === 'gzip' || encoding === 'x-gzip';
  if (!gzip && encoding !== 'identity') {
    body.on('error', () => {}).destroy();
    throw attempt.failure('encoding', 'the reply is compressed in a way not asked for');
  }
  return readCapped(body, { gzip, maxBytes, onChunk: (bytes) => attempt.bytesArrived(bytes) });
}
