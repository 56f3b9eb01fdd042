import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { readCapped } from '../../lib/read-capped.ts';
import { ApiError, type ApiErrorReason } from '../errors.ts';
import type { Attempt } from './attempt.ts';

/** With this message a 403 stands for a check that does not exist. */
const unknownCheckMessage = /invalid check identifier/i;

/** The meaning of a status code (API 3.1, section 7); undefined for success. */
function reasonOfStatus(
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
      return unknownCheckMessage.test(serviceMessage ?? '') ? 'not_found' : 'forbidden';
    case 404:
      return 'not_found';
    case 429:
      return 'rate_limited';
    default:
      return 'bad_request';
  }
}

/** API 3.1, section 7: `{error: {statuscode, statusdesc, errormessage}}`. */
const errorBody = z.object({ error: z.object({ errormessage: z.string() }) });

/** The error message of the service, if the body has the documented form. */
function serviceMessage(body: Buffer): string | undefined {
  try {
    return errorBody.safeParse(JSON.parse(body.toString('utf8'))).data?.error.errormessage;
  } catch {
    return undefined;
  }
}

/**
 * The JSON value of a body, whatever its content type says.
 *
 * Fails with reason `encoding` or `not_json`. The errors of the parsers are not passed on: they quote
 * the body, which may hold secrets.
 */
export function parseJson(body: Buffer, operation: string): unknown {
  const text = decodeUtf8(body, operation);
  try {
    return JSON.parse(text);
  } catch {
    const size = `${body.length} bytes`;
    throw new ApiError({
      reason: 'not_json',
      operation,
      message: body.length === 0 ? 'the response is empty' : `the response of ${size} is not JSON`,
    });
  }
}

function decodeUtf8(body: Buffer, operation: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ApiError({ reason: 'encoding', operation, message: 'the response is not UTF-8' });
  }
}

/** An error is a few words; a longer body is an error page that nobody reads. */
const maxErrorBodyBytes = 64 * 1024;

/**
 * The body of a response that reports success, decompressed. Whatever happens, the body is consumed or
 * its connection closed.
 *
 * Rejects with an `ApiError` when the service refused, else with what made the reading fail.
 */
export async function readResponse(
  attempt: Attempt,
  response: Dispatcher.ResponseData,
  maxBodyBytes: number,
): Promise<Buffer> {
  const { statusCode } = response;
  if (reasonOfStatus(statusCode, undefined) === undefined) {
    return readBody(attempt, response, maxBodyBytes);
  }
  const message = await readErrorMessage(attempt, response);
  const reason = reasonOfStatus(statusCode, message) ?? 'bad_request';
  throw attempt.httpError(reason, statusCode, message);
}

/** The status code suffices, so a broken body is ignored, unless the caller has aborted. */
async function readErrorMessage(
  attempt: Attempt,
  response: Dispatcher.ResponseData,
): Promise<string | undefined> {
  try {
    return serviceMessage(await readBody(attempt, response, maxErrorBodyBytes));
  } catch (error) {
    if (attempt.aborted) throw error;
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
    throw attempt.failure('encoding', 'the response uses a compression that was not requested');
  }
  const length = Number(headers['content-length']);
  const announcedBytes = Number.isSafeInteger(length) && length > 0 ? length : undefined;
  const onChunk = (bytes: number) => attempt.bytesArrived(bytes);
  return readCapped(body, { gzip, maxBytes, announcedBytes, onChunk });
}
