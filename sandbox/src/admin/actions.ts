import type { World } from '../account/world.ts';
import { type FaultName, faultKinds } from '../faults/faults.ts';
import { present } from '../lib/present.ts';
import { sandboxOperationNames } from '../operations/operations.ts';
import type { Sandbox } from '../sandbox.ts';
import { HttpError } from '../server/http-error.ts';
import {
  enumParameter,
  type Inputs,
  integerParameter,
  requiredParameter,
  textParameter,
} from '../server/parameters.ts';
import type { MonitoredCheck } from '../simulation/monitored-check.ts';
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

const faultNames = Object.keys(faultKinds) as FaultName[];

const faultActions: readonly AdminAction[] = [
  {
    method: 'get',
    path: '/faults',
    summary: 'active faults, and the available kinds and operations',
    parameters: [],
    run: (_inputs, { sandbox }) => ({
      active: sandbox.faults.active,
      kinds: faultNames.map((kind) => ({ kind, description: faultKinds[kind].description })),
      operations: sandboxOperationNames,
    }),
  },
  {
    method: 'post',
    path: '/faults',
    summary:
      'inject a fault for all requests, or limit it to an operation, a path or a number of requests',
    parameters: ['kind', 'operation', 'path', 'times'],
    example: '{"kind": "status-503", "operation": "list_checks", "times": 3}',
    run(inputs, { sandbox }) {
      const operation = enumParameter(inputs, 'operation', sandboxOperationNames);
      const path = textParameter(inputs, 'path');
      const times = integerParameter(inputs, 'times', { min: 1 });
      const id = sandbox.faults.inject({
        kind: requiredParameter('kind', enumParameter(inputs, 'kind', faultNames)),
        ...present({ operation, path, times }),
      });
      return { id };
    },
  },
  {
    method: 'delete',
    path: '/faults',
    summary: 'clear all faults',
    parameters: [],
    run(_inputs, { sandbox }) {
      sandbox.faults.clear();
      return { active: sandbox.faults.active };
    },
  },
  {
    method: 'delete',
    path: '/faults/:id',
    summary: 'clear one fault',
    parameters: [],
    run(inputs, { sandbox }) {
      const id = integerParameter(inputs, 'id', { min: 1 });
      if (!sandbox.faults.active.some((fault) => fault.id === id)) {
        throw new HttpError(404, `There is no active fault ${id}`);
      }
      sandbox.faults.clear(id);
      return { active: sandbox.faults.active };
    },
  },
];

const statuses = ['down', 'unknown', 'up'] as const;

const outageActions: readonly AdminAction[] = [
  {
    method: 'post',
    path: '/outages',
    summary:
      'force a check down (or unknown, or up) from now or a given time, until a time, for a number of seconds, or indefinitely',
    parameters: ['checkId', 'status', 'from', 'to', 'seconds'],
    example: '{"checkId": 10214237, "status": "down", "seconds": 900}',
    run(inputs, { sandbox: { world }, now }) {
      const from = integerParameter(inputs, 'from', { min: 0 }) ?? now;
      const seconds = integerParameter(inputs, 'seconds', { min: 1 });
      const until = integerParameter(inputs, 'to', { min: 0 });
      if (seconds !== undefined && until !== undefined) {
        throw new HttpError(400, 'Parameters to and seconds are mutually exclusive');
      }
      const to = seconds === undefined ? until : from + seconds;
      const planted = {
        checkId: monitoredId(inputs, world),
        status: enumParameter(inputs, 'status', statuses) ?? 'down',
        from,
        ...present({ to }),
      };
      world.plant(planted);
      return planted;
    },
  },
];

function monitoredId(inputs: Inputs, world: World): number {
  const id = requiredParameter('checkId', integerParameter(inputs, 'checkId', { min: 0 }));
  if (world.monitors(id)) return id;
  throw new HttpError(400, `No check has the identifier ${id}; GET /truth/checks lists all checks`);
}

const budgetActions: readonly AdminAction[] = [
  {
    method: 'get',
    path: '/budget',
    summary: 'requests left in each rate-limit window',
    parameters: [],
    run: (_inputs, { sandbox }) => reading(sandbox),
  },
  {
    method: 'post',
    path: '/budget',
    summary: 'spend requests as another client of the account',
    parameters: ['requests'],
    example: '{"requests": 150}',
    run(inputs, { sandbox }) {
      sandbox.limits.otherClientSpends(
        requiredParameter('requests', integerParameter(inputs, 'requests', { min: 1 })),
      );
      return reading(sandbox);
    },
  },
  {
    method: 'put',
    path: '/budget',
    summary: 'move the account to a plan with other limits; what was spent stays spent',
    parameters: ['short', 'long'],
    example: '{"short": 400, "long": 72000}',
    run(inputs, { sandbox }) {
      sandbox.limits.resize({
        shortLimit: requiredParameter('short', integerParameter(inputs, 'short', { min: 1 })),
        longLimit: requiredParameter('long', integerParameter(inputs, 'long', { min: 1 })),
      });
      return reading(sandbox);
    },
  },
];

const wireActions: readonly AdminAction[] = [
  {
    method: 'get',
    path: '/wire',
    summary: 'the wire, and every freedom with its value',
    parameters: [],
    run: (_inputs, { sandbox: { world } }) => wireReading(world),
  },
  {
    method: 'put',
    path: '/wire',
    summary: 'change the wire, as --wire does',
    parameters: ['wire'],
    example: '{"wire": "recorded,reportLagSeconds=60-600"}',
    run(inputs, { sandbox: { world } }) {
      world.wire = parseWire(requiredParameter('wire', textParameter(inputs, 'wire')));
      return wireReading(world);
    },
  },
];

function wireReading({ wire }: World): object {
  return { wire: wireText(wire), freedoms: wire };
}

function reading({ limits }: Sandbox): object {
  return { short: limits.reading('short'), long: limits.reading('long') };
}

const day = 86_400;

const truthActions: readonly AdminAction[] = [
  {
    method: 'get',
    path: '/truth/checks',
    summary: 'every check with its current state',
    parameters: [],
    run: (_inputs, { sandbox: { world }, now }) => ({
      checks: world.checks.map((check) => ({
        id: check.id,
        name: check.name,
        status: world.observer.observe(check, now).status,
      })),
    }),
  },
  {
    method: 'get',
    path: '/truth/checks/:id',
    summary: 'the true states of a check over a period, by default the last day',
    parameters: ['from', 'to'],
    example: '?from=1767225600&to=1767229200',
    run(inputs, context) {
      const check = context.sandbox.world.check(idOf(inputs));
      if (check === undefined) throw new HttpError(404, `There is no check ${idOf(inputs)}`);
      return { id: check.id, name: check.name, ...truthOf(check, inputs, context) };
    },
  },
  {
    method: 'get',
    path: '/truth/transactions/:id',
    summary: 'the same for a transaction check',
    parameters: ['from', 'to'],
    run(inputs, context) {
      const transaction = context.sandbox.world.transactions.find(idOf(inputs));
      if (transaction === undefined) {
        throw new HttpError(404, `There is no transaction check ${idOf(inputs)}`);
      }
      const { id, settings } = transaction;
      return { id, name: settings.name, ...truthOf(transaction, inputs, context) };
    },
  },
];

function idOf(inputs: Inputs): number {
  return requiredParameter('id', integerParameter(inputs, 'id', { min: 0 }));
}

function truthOf(check: MonitoredCheck, inputs: Inputs, { sandbox, now }: AdminContext): object {
  const to = integerParameter(inputs, 'to', { min: 0 }) ?? now;
  const from = integerParameter(inputs, 'from', { min: 0 }) ?? to - day;
  return { from, to, segments: sandbox.history.segments(check, from, to, now) };
}

/** Everything that the admin listener can do, in the order of its index. */
export const adminActions: readonly AdminAction[] = [
  ...faultActions,
  ...outageActions,
  ...budgetActions,
  ...wireActions,
  ...truthActions,
];
