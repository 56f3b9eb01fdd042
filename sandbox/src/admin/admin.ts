import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { faultKinds } from '../faults/faults.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Sandbox } from '../sandbox.ts';
import { errorBody, HttpError } from '../server/http-error.ts';
import { type Listening, listenOn } from '../server/listen.ts';
import { requireKnown } from '../server/parameters.ts';
import { type AdminAction, adminActions } from './actions.ts';

const actions = adminActions.map(({ method, path, summary, example }) => {
  const line = `${method.toUpperCase().padEnd(7)}${path.padEnd(25)}${summary}`;
  return example === undefined ? line : `${line}\n${' '.repeat(32)}${example}`;
});

const faults = Object.entries(faultKinds).map(
  ([kind, { description }]) => `${kind.padEnd(32)}${description}`,
);

/** The index page, for a terminal. */
const indexText = `The sandbox's admin listener: JSON over HTTP. Times are UNIX seconds of the sandbox's clock.
Send parameters of POST as a JSON object with Content-Type: application/json.

${actions.join('\n')}

Faults:

${faults.join('\n')}
`;

interface AdminAppOptions {
  readonly sandbox: Sandbox;
  readonly clock: Pick<Clock, 'now'>;
}

/** JSON over HTTP, with the error body of the service; the index at `/` lists the actions. */
function adminApp(options: AdminAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/', (_request, response) => {
    response.type('text/plain').send(indexText);
  });
  // Only JSON is read: a web page cannot send it here without permission.
  app.use(express.json());
  for (const action of adminActions) app[action.method](action.path, perform(action, options));
  app.use(({ method, path }: Request) => {
    throw new HttpError(404, `There is no ${method} ${path}; GET / lists what there is`);
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

/** Express recognizes an error handler by its four parameters. */
function reportError(
  error: Error & { readonly status?: number },
  _request: Request,
  response: Response,
  _next: NextFunction,
) {
  const status = error instanceof RangeError ? 400 : (error.status ?? 500);
  response.status(status).json(errorBody(status, error.message));
}

interface AdminOptions {
  readonly sandbox: Sandbox;
  /** The clock of the sandbox's data. */
  readonly clock: Pick<Clock, 'now'>;
  /** 0 for any free port. */
  readonly port: number;
}

/**
 * Serves the operator's actions, only on the loopback address, because it requires no credentials.
 * Rejects with an `Error` that names the address when it cannot listen.
 */
export function startAdmin({ sandbox, clock, port }: AdminOptions): Promise<Listening> {
  return listenOn(adminApp({ sandbox, clock }), '127.0.0.1', port);
}
