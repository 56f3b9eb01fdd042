import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import { requireKnown } from '../query-parameters.ts';
import { errorBody, Refusal } from '../refusal.ts';
import type { Sandbox } from '../sandbox.ts';
import type { AdminAction } from './admin-action.ts';
import { adminActions } from './admin-actions.ts';
import { indexText } from './index-text.ts';

export interface AdminAppOptions {
  readonly sandbox: Sandbox;
  readonly clock: Pick<Clock, 'now'>;
}

/** JSON over HTTP, with the error body of the service; the index at `/` tells what there is. */
export function adminApp(options: AdminAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/', (_request, response) => {
    response.type('text/plain').send(indexText);
  });
  // Only JSON is read: a web page cannot send it here without leave.
  app.use(express.json());
  for (const action of adminActions) app[action.method](action.path, perform(action, options));
  app.use(({ method, path }: Request) => {
    throw new Refusal(404, `There is no ${method} ${path}; GET / tells what there is`);
  });
  app.use(reportError);
  return app;
}

function perform(action: AdminAction, { sandbox, clock }: AdminAppOptions) {
  return (request: Request, response: Response) => {
    const given = { ...request.query, ...(request.body as object | undefined) };
    requireKnown(given, action.parameters);
    const inputs = { ...given, ...request.params };
    response.json(action.run(inputs, { sandbox, now: unixSeconds(clock) }));
  };
}

/** Express takes a handler of four parameters, and no other, for one of errors. */
function reportError(
  error: Error & { readonly status?: number },
  _request: Request,
  response: Response,
  _next: NextFunction,
) {
  const status = error instanceof RangeError ? 400 : (error.status ?? 500);
  response.status(status).json(errorBody(status, error.message));
}
