import { apiVersions } from '../../domain/api-version.ts';
import type { Operation } from '../operation.ts';
import { booleanParameter, pageParameters } from '../query-parameters.ts';
import { probes } from './probe-table.ts';

/** `GET /probes` (API 3.1, sections 2.6 and 4.3; legacy versions, sections 2.5 and 4.5). */
export const listProbes: Operation = {
  name: 'probes',
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
