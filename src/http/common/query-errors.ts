import type { Request, RequestHandler, Response } from 'express';
import type { SharedAccountView } from '../ports.ts';
import { jsonText, plainText } from './text-response.ts';

/** An invalid query; the message lists the valid values. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}

/** The data cannot be reported now: they are not known yet, or this replica owns no account. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/** The replica that owns the account can respond, and this one cannot. */
export class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError';

  constructor({ account, holder, url }: SharedAccountView) {
    const owner = holder === undefined ? 'not known' : `the replica ${holder}`;
    const at = url === undefined ? '' : `, ${url}`;
    const name = JSON.stringify(account);
    super(`this replica does not own the account ${name}; its owner is ${owner}${at}`);
  }
}

/** Responds with the JSON of `make`, or with its error as `respondOrExplain` does. */
export function respondWithJson(response: Response, make: () => Promise<string>): Promise<void> {
  return respondOrExplain(response, async () => jsonText(response, await make()));
}

/**
 * Runs `respond`. Responds with 400 to its `QueryError`, with 421 to its `ElsewhereError`, and with
 * 503 to its `NotReadyError`.
 */
export async function respondOrExplain(
  response: Response,
  respond: () => Promise<void> | void,
): Promise<void> {
  try {
    await respond();
  } catch (error) {
    if (error instanceof QueryError) plainText(response, 400, sentence(error));
    else if (error instanceof ElsewhereError) plainText(response, 421, sentence(error));
    else if (error instanceof NotReadyError) plainText(response, 503, sentence(error));
    else throw error;
  }
}

function sentence({ message }: Error): string {
  return message.endsWith('?') ? message : `${message}.`;
}

/** Runs the handler, and explains its errors as `respondOrExplain` does. */
export function explained(
  handle: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return (request, response) => respondOrExplain(response, () => handle(request, response));
}
