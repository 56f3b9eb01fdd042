import { type FaultName, faultKinds } from '../faults.ts';
import { operationNames } from '../operations.ts';
import { integerParameter, required, textParameter, wordParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { AdminAction } from './admin-action.ts';

const faultNames = Object.keys(faultKinds) as FaultName[];

export const faultActions: readonly AdminAction[] = [
  {
    method: 'get',
    path: '/faults',
    summary: 'the faults in force, and the kinds and operations there are',
    parameters: [],
    run: (_inputs, { sandbox }) => ({
      active: sandbox.faults.active,
      kinds: faultNames.map((kind) => ({ kind, description: faultKinds[kind].description })),
      operations: operationNames,
    }),
  },
  {
    method: 'post',
    path: '/faults',
    summary:
      'inject a fault for all requests, or those of one operation or path, or so many of them',
    parameters: ['kind', 'operation', 'path', 'times'],
    example: '{"kind": "status-503", "operation": "checks", "times": 3}',
    run(inputs, { sandbox }) {
      const operation = wordParameter(inputs, 'operation', operationNames);
      const path = textParameter(inputs, 'path');
      const times = integerParameter(inputs, 'times', { min: 1 });
      const id = sandbox.faults.inject({
        kind: required('kind', wordParameter(inputs, 'kind', faultNames)),
        ...(operation !== undefined && { operation }),
        ...(path !== undefined && { path }),
        ...(times !== undefined && { times }),
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
        throw new Refusal(404, `There is no fault ${id} in force`);
      }
      sandbox.faults.clear(id);
      return { active: sandbox.faults.active };
    },
  },
];
