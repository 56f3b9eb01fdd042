import { type Inputs, integerParameter, required, wordParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import type { AdminAction } from './admin-action.ts';

const statuses = ['down', 'unknown', 'up'] as const;

export const outageActions: readonly AdminAction[] = [
  {
    method: 'post',
    path: '/outages',
    summary:
      'let a check be down (or unknown, or up) from now or another time, until a time, for so many seconds, or for good',
    parameters: ['checkId', 'status', 'from', 'to', 'seconds'],
    example: '{"checkId": 10214237, "status": "down", "seconds": 900}',
    run(inputs, { sandbox: { world }, now }) {
      const from = integerParameter(inputs, 'from', { min: 0 }) ?? now;
      const seconds = integerParameter(inputs, 'seconds', { min: 1 });
      const until = integerParameter(inputs, 'to', { min: 0 });
      if (seconds !== undefined && until !== undefined) {
        throw new Refusal(400, 'Parameters to and seconds exclude each other');
      }
      const to = seconds === undefined ? until : from + seconds;
      const planted = {
        checkId: monitoredId(inputs, world),
        status: wordParameter(inputs, 'status', statuses) ?? 'down',
        from,
        ...(to !== undefined && { to }),
      };
      world.plant(planted);
      return planted;
    },
  },
];

function monitoredId(inputs: Inputs, world: World): number {
  const id = required('checkId', integerParameter(inputs, 'checkId', { min: 0 }));
  if (world.monitors(id)) return id;
  throw new Refusal(
    400,
    `No check has the identifier ${id}; GET /truth/checks lists those there are`,
  );
}
