import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { accessOf, type Tokens } from './authentication.ts';
import { Exchange, type Reply } from './exchange.ts';
import type { Faults } from './faults.ts';
import { listChecks } from './list-checks.ts';
import type { Operation } from './operation.ts';
import { requireKnown } from './query-parameters.ts';
import { readCredits } from './read-credits.ts';
import { errorBody, limitExceededMessage, Refusal } from './refusal.ts';
import type { RequestJournal } from './request-journal.ts';
import type { RequestLimits } from './request-limits.ts';
import type { World } from './world.ts';

const basePath = '/api/3.1';
const operations: readonly Operation[] = [listChecks, readCredits];

export interface ServiceAppOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly limitsClock: Clock;
  readonly limits: RequestLimits;
  readonly faults: Faults;
  readonly journal: RequestJournal;
  readonly tokens: Tokens;
}

type Answer = (request: Request) => object;

/** The simulated service: API 3.1 as far as `operations` goes. */
export function serviceApp(options: ServiceAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const operation of operations) {
    const path = basePath + operation.path;
    app[operation.method](path, serve(options, operation.name, run(options, operation)));
    app.all(path, serve(options, undefined, refuseMethod(operation)));
  }
  app.use(serve(options, undefined, refusePath));
  app.use(reportFailure);
  return app;
}

function serve(options: ServiceAppOptions, operation: string | undefined, answer: Answer) {
  const { clock, limitsClock, limits, faults, journal, tokens } = options;
  return async (request: Request, response: Response) => {
    const { path, query } = request;
    const onStatus = journal.arrived({ operation, path, query, time: clock.now() });
    const exchange = new Exchange({ request, response, clock: limitsClock, onStatus });

    const authorization = request.get('authorization');
    const access = accessOf(authorization, tokens);
    if (access === undefined) {
      await exchange.deliver(unauthenticated(authorization));
      return;
    }
    const fault = faults.take({ operation, path });
    const admitted = fault?.sparesBudget === true || limits.spend();
    const refusal = admitted
      ? refusalOfAccess(access, request.method)
      : new Refusal(429, limitExceededMessage);
    const reply = replyTo(() => {
      if (refusal !== undefined) throw refusal;
      return answer(request);
    }, limits.headers());
    await (fault === undefined ? exchange.deliver(reply) : fault.act(exchange, reply));
  };
}

function replyTo(answer: () => object, headers: Record<string, string>): Reply {
  try {
    return { status: 200, headers, body: answer() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, headers: { ...headers, ...error.headers }, body: error.body };
  }
}

/** The documentation shows status 401 with a body that says 403 when credentials are missing (API 3.1, section 7, rule 3). */
function unauthenticated(authorization: string | undefined): Reply {
  const body =
    authorization === undefined
      ? errorBody(403, 'Missing credentials: send the API token as bearer token')
      : errorBody(401, 'The credentials are not a valid API token');
  return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, body };
}

/** A token limited to read access can only read (API 3.1, section 5, rule 2). */
function refusalOfAccess(access: 'read' | 'write', method: string): Refusal | undefined {
  const reads = method === 'GET' || method === 'HEAD';
  return access === 'write' || reads
    ? undefined
    : new Refusal(403, 'This API token has read access only');
}

function run({ world, clock }: ServiceAppOptions, operation: Operation): Answer {
  return ({ query }) => {
    requireKnown(query, operation.parameters);
    return operation.run(query, { world, now: unixSeconds(clock) });
  };
}

function refuseMethod(operation: Operation): Answer {
  const allowed = operation.method.toUpperCase();
  return ({ method, path }) => {
    throw new Refusal(405, `Method ${method} is not allowed for ${path}; allowed is ${allowed}`, {
      Allow: allowed,
    });
  };
}

const refusePath: Answer = ({ path }) => {
  throw new Refusal(404, `There is nothing at ${path}`);
};

/** Express takes a handler of four parameters, and no other, for one of errors. */
function reportFailure(error: Error, _request: Request, response: Response, next: NextFunction) {
  if (response.headersSent) {
    next(error);
    return;
  }
  response.status(500).json(errorBody(500, `The sandbox failed: ${error.message}`));
}
