import { z } from 'zod';
import type { World } from '../account/world.ts';
import { faultKinds, faultOrder } from '../faults/faults.ts';
import { day } from '../lib/instant.ts';
import { oneOf, text, valid, wholeText } from '../lib/options.ts';
import { present } from '../lib/present.ts';
import { sandboxOperationNames } from '../operations/operations.ts';
import type { Sandbox } from '../sandbox.ts';
import { HttpError } from '../server/http-error.ts';
import type { Inputs } from '../server/parameters.ts';
import { transactionStates } from '../simulation/transaction-states.ts';
import { parseWire, wireText } from '../wire.ts';

interface AdminContext {
  readonly sandbox: Sandbox;
  /** UNIX seconds of the data clock. */
  readonly now: number;
}

/** One request of an operator to the sandbox. */
export interface AdminAction {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  /** The description in the index. */
  readonly summary: string;
  /** The parameters in the query or the JSON body. */
  readonly parameters: readonly string[];
  /** An example of the parameters for the index. */
  readonly example?: string;
  /** Throws an `HttpError` or a `RangeError` for a bad request. */
  run(inputs: Inputs, context: AdminContext): object;
}

type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** `shape` has every parameter, also those of the path. */
function action<S extends z.ZodRawShape>(
  route: Route,
  summary: string,
  shape: S,
  run: (given: z.output<z.ZodObject<S>>, context: AdminContext) => object,
  example?: string,
): AdminAction {
  const [method = '', path = ''] = route.split(' ');
  const schema = z.object(shape);
  return {
    method: method.toLowerCase() as AdminAction['method'],
    path,
    summary,
    parameters: Object.keys(shape).filter((name) => !path.includes(`:${name}`)),
    ...present({ example }),
    run: (inputs, context) =>
      run(
        valid(schema, inputs, (name) => `Parameter ${name}`),
        context,
      ),
  };
}

const faultActions: readonly AdminAction[] = [
  action(
    'GET /faults',
    'active faults, and the available kinds and operations',
    {},
    (_, { sandbox }) => ({
      active: sandbox.faults.active,
      kinds: Object.entries(faultKinds).map(([kind, { description }]) => ({ kind, description })),
      operations: sandboxOperationNames,
    }),
  ),
  action(
    'POST /faults',
    'inject a fault for all requests, or limit it to an operation, a path or a number of requests',
    faultOrder.shape,
    (order, { sandbox }) => ({ id: sandbox.faults.inject(order) }),
    '{"kind": "status-503", "operation": "list_checks", "times": 3}',
  ),
  action('DELETE /faults', 'clear all faults', {}, (_, { sandbox }) => {
    sandbox.faults.clear();
    return { active: sandbox.faults.active };
  }),
  action('DELETE /faults/:id', 'clear one fault', { id: wholeText(1) }, ({ id }, { sandbox }) => {
    if (!sandbox.faults.clear(id)) throw new HttpError(404, `There is no active fault ${id}`);
    return { active: sandbox.faults.active };
  }),
];

const time = wholeText(0).optional();

const outageActions: readonly AdminAction[] = [
  action(
    'POST /outages',
    'force a check down (or unknown, or up) from now or a given time, until a time, for a number of seconds, or indefinitely',
    {
      checkId: wholeText(0),
      status: oneOf(['down', 'unknown', 'up']).default('down'),
      from: time,
      to: time,
      seconds: wholeText(1).optional(),
    },
    ({ checkId, status, from: given, to: until, seconds }, { sandbox: { world }, now }) => {
      if (seconds !== undefined && until !== undefined) {
        throw new HttpError(400, 'Parameters to and seconds are mutually exclusive');
      }
      if (!world.monitors(checkId)) {
        const hint = 'GET /truth/checks lists all checks';
        throw new HttpError(400, `No check has the identifier ${checkId}; ${hint}`);
      }
      const from = given ?? now;
      const to = seconds === undefined ? until : from + seconds;
      const planted = { checkId, status, from, ...present({ to }) };
      world.plant(planted);
      return planted;
    },
    '{"checkId": 10214237, "status": "down", "seconds": 900}',
  ),
];

const requests = wholeText(1);

const budgetActions: readonly AdminAction[] = [
  action('GET /budget', 'requests left in each rate-limit window', {}, (_, { sandbox }) =>
    reading(sandbox),
  ),
  action(
    'POST /budget',
    'spend requests as another client of the account',
    { requests },
    (given, { sandbox }) => {
      sandbox.limits.otherClientSpends(given.requests);
      return reading(sandbox);
    },
    '{"requests": 150}',
  ),
  action(
    'PUT /budget',
    'move the account to a plan with other limits; what was spent stays spent',
    { short: requests, long: requests },
    ({ short, long }, { sandbox }) => {
      sandbox.limits.resize({ shortLimit: short, longLimit: long });
      return reading(sandbox);
    },
    '{"short": 400, "long": 72000}',
  ),
];

function reading({ limits }: Sandbox): object {
  return { short: limits.reading('short'), long: limits.reading('long') };
}

const wireActions: readonly AdminAction[] = [
  action(
    'GET /wire',
    'the wire, and every freedom with its value',
    {},
    (_, { sandbox: { world } }) => wireReading(world),
  ),
  action(
    'PUT /wire',
    'change the wire, as --wire does',
    { wire: text },
    ({ wire }, { sandbox: { world } }) => {
      world.wire = parseWire(wire);
      return wireReading(world);
    },
    '{"wire": "recorded,reportLagSeconds=60-600"}',
  ),
];

function wireReading({ wire }: World): object {
  return { wire: wireText(wire), freedoms: wire };
}

const id = wholeText(0);
const truthPeriod = { from: time, to: time };

const truthActions: readonly AdminAction[] = [
  action(
    'GET /truth/checks',
    'every check with its current state',
    {},
    (_, { sandbox: { world }, now }) => ({
      checks: world.checks.map((check) => ({
        id: check.id,
        name: check.name,
        status: world.observer.observe(check, now).status,
      })),
    }),
  ),
  action(
    'GET /truth/checks/:id',
    'the true states of a check over a period, by default the last day',
    { id, ...truthPeriod },
    (given, context) => {
      const check = context.sandbox.world.check(given.id);
      if (check === undefined) throw new HttpError(404, `There is no check ${given.id}`);
      const { from, to, now } = periodOf(given, context);
      const segments = context.sandbox.history.segments(check, from, to, now);
      return { id: check.id, name: check.name, from, to, segments };
    },
    '?from=1767225600&to=1767229200',
  ),
  action(
    'GET /truth/transactions/:id',
    'the same for a transaction check',
    { id, ...truthPeriod },
    (given, context) => {
      const transaction = context.sandbox.world.transactions.find(given.id);
      if (transaction === undefined) {
        throw new HttpError(404, `There is no transaction check ${given.id}`);
      }
      const { name } = transaction.settings;
      const { from, to, now } = periodOf(given, context);
      const period = { from, to: Math.min(to, now) };
      const states = transactionStates(context.sandbox.history, transaction, period);
      const segments = states.map((one) => ({ status: one.status, from: one.from, to: one.to }));
      return { id: transaction.id, name, from, to, segments };
    },
  ),
];

interface TruthPeriod {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

function periodOf(given: TruthPeriod, { now }: AdminContext) {
  const to = given.to ?? now;
  return { from: given.from ?? to - day, to, now };
}

/** Everything that the admin listener can do, in the order of its index. */
export const adminActions: readonly AdminAction[] = [
  ...faultActions,
  ...outageActions,
  ...budgetActions,
  ...wireActions,
  ...truthActions,
];
