import type { MonitoredCheck } from '../monitored-check.ts';
import { type Inputs, integerParameter, required } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { AdminAction, AdminContext } from './admin-action.ts';

const day = 86_400;

export const truthActions: readonly AdminAction[] = [
  {
    method: 'get',
    path: '/truth/checks',
    summary: 'every check with its present state',
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
    summary: 'the states of a check as they are known now, in a time: by default the last day',
    parameters: ['from', 'to'],
    example: '?from=1767225600&to=1767229200',
    run(inputs, context) {
      const check = context.sandbox.world.check(idOf(inputs));
      if (check === undefined) throw new Refusal(404, `There is no check ${idOf(inputs)}`);
      return { id: check.id, name: check.name, ...truthOf(check, inputs, context) };
    },
  },
  {
    method: 'get',
    path: '/truth/transactions/:id',
    summary: 'the same of a transaction check',
    parameters: ['from', 'to'],
    run(inputs, context) {
      const transaction = context.sandbox.world.transactions.find(idOf(inputs));
      if (transaction === undefined) {
        throw new Refusal(404, `There is no transaction check ${idOf(inputs)}`);
      }
      const { id, settings } = transaction;
      return { id, name: settings.name, ...truthOf(transaction, inputs, context) };
    },
  },
];

function idOf(inputs: Inputs): number {
  return required('id', integerParameter(inputs, 'id', { min: 0 }));
}

function truthOf(check: MonitoredCheck, inputs: Inputs, { sandbox, now }: AdminContext): object {
  const to = integerParameter(inputs, 'to', { min: 0 }) ?? now;
  const from = integerParameter(inputs, 'from', { min: 0 }) ?? to - day;
  return { from, to, segments: sandbox.history.segments(check, from, to, now) };
}
