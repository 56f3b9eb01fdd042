import { apiVersions } from '../../domain/api-version.ts';
import { probeOf } from '../account-data/probes.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import { integerParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import { analysisOf, startOfAnalysed } from './analysis.ts';
import { resultEntry } from './result-entry.ts';

/** `GET /analysis/{checkid}/{analysisid}` (API 3.1, section 4.3): raw data whose structure is not documented. */
export const readAnalysis: Operation = {
  name: 'analysis',
  summary: 'read one root cause analysis',
  method: 'get',
  path: '/analysis/:checkid/:analysisid',
  versions: apiVersions,
  parameters: [],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    const { history } = context.world;
    const id = integerParameter(inputs, 'analysisid', { min: 0 }) ?? Number.NaN;
    const { from, to } = startOfAnalysed(id);
    const outage = [...history.outages(check, from, to, context.now)].find(
      ({ start }) => start >= from,
    );
    if (outage === undefined) throw new Refusal(404, 'Invalid analysis identifier');

    const { timefirsttest, timeconfirmtest } = analysisOf(outage);
    const tests = [...history.results(check, timefirsttest, timeconfirmtest + 1)];
    return {
      analysisresult: {
        id,
        checkid: check.id,
        timefirsttest,
        timeconfirmtest,
        tasks: tests.map((test) => ({
          ...resultEntry(check, test),
          probe: probeOf(test.probeId)?.name,
          target: check.hostname,
        })),
      },
    };
  },
};
