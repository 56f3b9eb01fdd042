import { integerParameter, required } from '../query-parameters.ts';
import type { Sandbox } from '../sandbox.ts';
import type { AdminAction } from './admin-action.ts';

export const budgetActions: readonly AdminAction[] = [
  {
    method: 'get',
    path: '/budget',
    summary: 'what is left of the request limits',
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
        required('requests', integerParameter(inputs, 'requests', { min: 1 })),
      );
      return reading(sandbox);
    },
  },
];

function reading({ limits }: Sandbox): object {
  return { short: limits.reading('short'), long: limits.reading('long') };
}
