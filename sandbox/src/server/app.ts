import { parse } from 'node:querystring';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from 'express';
import type { World } from '../account/world.ts';
import type { Faults } from '../faults/faults.ts';
import { type QuirkName, withQuirks } from '../faults/quirks.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { BodyKind, Operation } from '../operations/operation.ts';
import { sandboxOperations } from '../operations/operations.ts';
import { type ApiVersion, apiVersions } from '../vocabulary.ts';
import { type AcceptedCredentials, accessOf } from './authentication.ts';
import { type JsonResponse, ServerExchange } from './exchange.ts';
import { errorBody, HttpError, limitExceededMessage } from './http-error.ts';
import { type Inputs, requireKnown } from './parameters.ts';
import type { RequestLimits } from './rate-limit.ts';
import type { RequestJournal } from './request-journal.ts';
import { deliverAsWired, strayRefusal } from './stray-responses.ts';
import { inFormOf } from './wire-form.ts';

/** The operations of one version that share a path. */
interface Route {
  readonly version: ApiVersion;
  /** From the root, such as `/api/3.1/checks/:checkid`. */
  readonly path: string;
  readonly operations: readonly Operation[];
}

function routesOf(operations: readonly Operation[]): Route[] {
  return apiVersions.flatMap((version) => {
    const ofVersion = operations.filter(({ versions }) => versions.includes(version));
    const paths = new Set(ofVersion.map(({ path }) => path));
    return [...paths].map((path) => ({
      version,
      path: `/api/${version}${path}`,
      operations: ofVersion.filter((operation) => operation.path === path),
    }));
  });
}

interface ServiceAppOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly limitsClock: Clock;
  readonly limits: RequestLimits;
  readonly faults: Faults;
  readonly journal: RequestJournal;
  readonly credentials: AcceptedCredentials;
  readonly quirks: readonly QuirkName[];
}

type Answer = (
  request: Request,
  response: Response,
  service: ServiceAppOptions,
) => object | Promise<object>;

/** The simulated service: every operation in every version that has it. */
export function serviceApp(options: ServiceAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.locals.service = options;
  app.use(routes);
  return app;
}

/** Shared by all services, because to compile their paths takes longer than most tests. */
const routes = serviceRoutes();

function serviceRoutes(): Router {
  const router = express.Router({ caseSensitive: true });
  for (const { version, path, operations: ofPath } of routesOf(sandboxOperations)) {
    for (const operation of ofPath) {
      router[operation.method](path, serve(operation.name, version, run(operation, version)));
    }
    router.all(path, serve(undefined, version, methodNotAllowed(ofPath)));
  }
  router.use('/api/2.0', serve(undefined, '2.0', notFound));
  router.use('/api/2.1', serve(undefined, '2.1', notFound));
  router.use(serve(undefined, '3.1', notFound));
  router.use(reportFailure);
  return router;
}

function serve(operation: string | undefined, version: ApiVersion, answer: Answer) {
  return async (request: Request, response: Response) => {
    const service: ServiceAppOptions = request.app.locals.service;
    const { world, clock, limitsClock, limits, faults, journal, credentials, quirks } = service;
    const { query } = request;
    const path = request.baseUrl + request.path;
    const onStatus = journal.arrived({ operation, path, query, time: clock.now() });
    const exchange = new ServerExchange({ request, response, clock: limitsClock, onStatus });
    response.set('Date', new Date(clock.now()).toUTCString());

    const access = accessOf((name) => request.get(name), version, credentials);
    if (access === undefined) {
      await exchange.deliver(unauthenticated(request, version));
      return;
    }
    const { wire, seed } = world;
    const numbered = { seed, number: journal.total };
    if (await strayRefusal(exchange, wire, numbered)) return;
    const fault = faults.take({ operation, path });
    const admitted = fault?.sparesBudget === true || limits.spend();
    const refusal = admitted
      ? accessError(access, request.method)
      : new HttpError(429, limitExceededMessage);
    const proper = await replyTo(() => {
      if (refusal !== undefined) throw refusal;
      return answer(request, response, service);
    }, limits.headers());
    const wired = { ...proper, body: inFormOf(wire, proper.body) };
    const planned = withQuirks(wired, quirks);
    await (fault === undefined
      ? deliverAsWired(exchange, planned, wire, numbered)
      : fault.act(exchange, planned));
  };
}

async function replyTo(
  answer: () => object | Promise<object>,
  headers: Record<string, string>,
): Promise<JsonResponse> {
  try {
    return { status: 200, headers, body: await answer() };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: error.status, headers: { ...headers, ...error.headers }, body: error.body };
  }
}

/**
 * The documentation shows status 401 with a body that says 403 when credentials are missing (API
 * 3.1, section 7, rule 3).
 */
function unauthenticated(request: Request, version: ApiVersion): JsonResponse {
  const current = version === '3.1';
  const wanted = current ? 'an API token' : 'e-mail address, password and application key';
  const body =
    request.get('authorization') === undefined
      ? errorBody(403, `Missing credentials: send ${wanted}`)
      : errorBody(
          401,
          `The credentials are not ${current ? 'a valid API token' : `a valid ${wanted}`}`,
        );
  return { status: 401, headers: { 'WWW-Authenticate': current ? 'Bearer' : 'Basic' }, body };
}

/** A token limited to read access can only read (API 3.1, section 5, rule 2). */
function accessError(access: 'read' | 'write', method: string): HttpError | undefined {
  const reads = method === 'GET' || method === 'HEAD';
  return access === 'write' || reads
    ? undefined
    : new HttpError(403, 'This API token has read access only');
}

function run(operation: Operation, version: ApiVersion): Answer {
  return async (request, response, { world, clock }) => {
    const body = await bodyInputs(request, response, operation.body, version);
    const given = { ...request.query, ...body };
    requireKnown(given, operation.parameters(version));
    const inputs = { ...given, ...request.params };
    const now = unixSeconds(clock);
    const asOf =
      operation.method === 'get' ? world.lags.asOf(operation.name, aboutWhich(request), now) : now;
    return operation.run(inputs, { version, world, now: asOf, askedAt: now });
  };
}

/** The identifier in the path; 0 if there is none. */
function aboutWhich({ params }: Request): number {
  return Number(params.checkid ?? params.check_id ?? params.cid ?? 0) || 0;
}

function methodNotAllowed(operations: readonly Operation[]): Answer {
  const allowed = operations.map(({ method }) => method.toUpperCase()).join(', ');
  return ({ method, path }) => {
    throw new HttpError(405, `Method ${method} is not allowed for ${path}; allowed is ${allowed}`, {
      Allow: allowed,
    });
  };
}

function notFound({ baseUrl, path }: Request): never {
  throw new HttpError(404, `There is nothing at ${baseUrl}${path}`);
}

/** Express recognizes an error handler by its four parameters. */
function reportFailure(error: Error, _request: Request, response: Response, next: NextFunction) {
  if (response.headersSent) {
    next(error);
    return;
  }
  response.status(500).json(errorBody(500, `The sandbox failed: ${error.message}`));
}

const readBytes = express.raw({ type: () => true, limit: '1mb' });

/**
 * The parameters in the body of a request: JSON or a form, as the operation takes it (API 3.1,
 * section 4; legacy versions, section 4). Rejects with an `HttpError` for a body that cannot be
 * used.
 */
async function bodyInputs(
  request: Request,
  response: Response,
  kind: BodyKind,
  version: ApiVersion,
): Promise<Inputs> {
  if (kind === 'none') return {};
  await received(request, response);
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  const text = bytes.toString('utf8');

  const takesForm = version !== '3.1' || kind !== 'json';
  const takesJson = version === '3.1' && kind !== 'form';
  if (takesJson && request.is('application/json')) return jsonObject(text);
  const unnamed = request.get('content-type') === undefined;
  if (takesForm && (unnamed || request.is('application/x-www-form-urlencoded'))) {
    return { ...parse(text) };
  }
  const allowed = [takesJson && 'application/json', takesForm && formType].filter(Boolean);
  throw new HttpError(415, `The Content-Type of the body must be ${allowed.join(' or ')}`);
}

const formType = 'application/x-www-form-urlencoded';

function jsonObject(text: string): Inputs {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, 'The body must be a JSON object');
  }
  return value as Inputs;
}

function received(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    readBytes(request, response, (error?: Error & { readonly status?: number }) => {
      if (error === undefined) resolve();
      else reject(new HttpError(error.status ?? 400, `The body cannot be read: ${error.message}`));
    });
  });
}
