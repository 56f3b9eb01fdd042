import { apiVersions } from '../../../domain/version.ts';
import { HttpError } from '../../server/http-error.ts';
import { booleanParameter } from '../../server/parameters.ts';
import { probeOf } from '../../simulation/probes.ts';
import { identifiedCheck } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { Mean, Means, secondsByState } from './aggregates.ts';
import { periodOf, probeSelection } from './report-parameters.ts';

/**
 * `GET /summary.average/{checkid}` (API 3.1, sections 2.9 and 4.4). The average is that of the tests that have
 * a response time, rounded to whole milliseconds; 0 when there is none.
 */
export const readAverage: Operation = {
  name: 'get_average',
  summary: 'read the average response time and seconds by state of a check',
  method: 'get',
  path: '/summary.average/:checkid',
  versions: apiVersions,
  parameters: ['from', 'to', 'probes', 'includeuptime', 'bycountry', 'byprobe'],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    const { world, now } = context;
    const { from: since, to } = periodOf(inputs, now, () => check.created);
    const from = Math.min(to, Math.max(since, check.created));
    const isSelected = probeSelection(inputs);
    const byCountry = booleanParameter(inputs, 'bycountry');
    const byProbe = booleanParameter(inputs, 'byprobe');
    const includeUptime = booleanParameter(inputs, 'includeuptime');
    if (byCountry && byProbe) {
      throw new HttpError(400, 'Parameters bycountry and byprobe cannot be used together');
    }

    const all = new Mean();
    const perProbe = new Means<number>();
    const perCountry = new Means<string>();
    world.history.eachGoodTest(check, from, to + 1, (_time, probeId, milliseconds) => {
      if (!isSelected(probeId)) return;
      if (byProbe) perProbe.add(probeId, milliseconds);
      else if (byCountry) perCountry.add(countryOf(probeId), milliseconds);
      else all.add(milliseconds);
    });

    let avgresponse: unknown = all.rounded;
    if (byProbe) {
      avgresponse = perProbe
        .sorted()
        .map(([probeid, mean]) => ({ probeid, avgresponse: mean.rounded }));
    } else if (byCountry) {
      avgresponse = perCountry
        .sorted()
        .map(([countryiso, mean]) => ({ countryiso, avgresponse: mean.rounded }));
    }
    const responsetime = { from, to, avgresponse };
    if (!includeUptime) return { summary: { responsetime } };
    const { up, down, unknown } = secondsByState(world.history.segments(check, from, to, now));
    const status = { totalup: up, totaldown: down, totalunknown: unknown };
    return { summary: { responsetime, status } };
  },
};

function countryOf(probeId: number): string {
  return probeOf(probeId)?.countryiso ?? '';
}
