import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { yieldToEventLoop } from '../../lib/event-loop.ts';

interface Download {
  readonly type: string;
  /** The name of the file in which a browser stores it; without it the browser shows it. */
  readonly fileName?: string | undefined;
  readonly pieces: Iterable<string>;
}

/** Responds with a text that may be long. Other requests are handled between its pieces. */
export function sendPieces(
  request: Request,
  response: Response,
  { type, fileName, pieces }: Download,
): void {
  response.status(200).set({
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(fileName !== undefined && { 'Content-Disposition': `attachment; filename="${fileName}"` }),
  });
  if (request.method === 'HEAD') response.end();
  else Readable.from(untilError(request, pieces)).pipe(response);
}

/** An error in a piece goes to the error handler: as an error of the stream it would end the process. */
async function* untilError(request: Request, pieces: Iterable<string>): AsyncGenerator<string> {
  try {
    yield* inTurns(pieces);
  } catch (error) {
    request.next?.(error);
  }
}

/** The whole text. Other requests are handled between its pieces. */
export async function joinedInTurns(pieces: Iterable<string>): Promise<string> {
  let text = '';
  for await (const piece of inTurns(pieces)) text += piece;
  return text;
}

async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await yieldToEventLoop();
  }
}
