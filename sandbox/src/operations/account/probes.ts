import {
  booleanParameter,
  pageParameters,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import type { History } from '../../simulation/history.ts';
import type { MonitoredCheck } from '../../simulation/monitored-check.ts';
import { probes, testingProbes } from '../../simulation/probes.ts';
import { apiVersions } from '../../vocabulary.ts';
import { identifiedCheck } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { type Period, periodOf } from '../reports/report-parameters.ts';

/** `GET /probes` (API 3.1, sections 2.6 and 4.3; legacy versions, sections 2.5 and 4.5). */
export const listProbes: Operation = {
  name: 'list_probes',
  summary: 'list the probe servers',
  method: 'get',
  path: '/probes',
  versions: apiVersions,
  parameters: (version) => [
    'limit',
    'offset',
    'onlyactive',
    'includedeleted',
    ...(version === '2.1' ? ['onlytms'] : []),
  ],
  body: 'none',
  run(inputs, { version }) {
    const { limit, offset } = pageParameters(inputs, probes.length, Number.MAX_SAFE_INTEGER);
    const onlyActive = booleanParameter(inputs, 'onlyactive');
    const onlyTransactions = booleanParameter(inputs, 'onlytms');
    const includeDeleted = booleanParameter(inputs, 'includedeleted');
    const listed = probes.filter(
      ({ active, transactions, deleted }) =>
        (active || !onlyActive) &&
        (transactions || !onlyTransactions) &&
        (!deleted || includeDeleted),
    );
    return {
      probes: listed
        .slice(offset, offset + limit)
        .map(({ deleted: _deleted, transactions: _transactions, ipv6, ...shown }) =>
          ipv6 === undefined || version === '2.0' ? shown : { ...shown, ipv6 },
        ),
    };
  },
};

/** The identifiers of the probes that tested the check in a period, smallest first. */
export function activeProbes(
  history: History,
  check: MonitoredCheck,
  { from, to }: Period,
): number[] {
  const found = new Set<number>();
  for (const { probeId } of history.results(check, from, to + 1)) {
    found.add(probeId);
    if (found.size === testingProbes.length) break;
  }
  return [...found].sort((a, b) => a - b);
}

/** `GET /summary.probes/{checkid}` (API 3.1, sections 2.9 and 4.4). */
export const readActiveProbes: Operation = {
  name: 'list_active_probes',
  summary: 'list the probes that tested a check',
  method: 'get',
  path: '/summary.probes/:checkid',
  versions: apiVersions,
  parameters: ['from', 'to'],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    requiredParameter('from', textParameter(inputs, 'from'));
    const period = periodOf(inputs, context.now, () => 0);
    return { probes: activeProbes(context.world.history, check, period) };
  },
};
