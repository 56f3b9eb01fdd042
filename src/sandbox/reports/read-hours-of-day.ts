import { apiVersions } from '../../domain/api-version.ts';
import { accountTimeZone } from '../account-data/reference-data.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import { booleanParameter } from '../query-parameters.ts';
import { hourOfDay } from './local-hour.ts';
import { Means } from './mean.ts';
import { periodOf } from './period.ts';
import { probeSelection } from './probe-selection.ts';
import { week } from './spans-of-time.ts';

/** `GET /summary.hoursofday/{checkid}` (API 3.1, sections 2.9 and 4.4). */
export const readHoursOfDay: Operation = {
  name: 'summary.hoursofday',
  summary: 'average response time of a check by hour of the day',
  method: 'get',
  path: '/summary.hoursofday/:checkid',
  versions: apiVersions,
  parameters: ['from', 'to', 'probes', 'uselocaltime'],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    const { from, to } = periodOf(inputs, context.now, (end) => end - week);
    const isSelected = probeSelection(inputs);
    const useLocalTime = booleanParameter(inputs, 'uselocaltime');
    const hourAt = hourOfDay(useLocalTime ? accountTimeZone.name : 'UTC');

    const perHour = new Means<number>();
    context.world.history.eachGoodTest(check, from, to + 1, (time, probeId, milliseconds) => {
      if (isSelected(probeId)) perHour.add(hourAt(time), milliseconds);
    });
    return {
      hoursofday: perHour.sorted().map(([hour, mean]) => ({ hour, avgresponse: mean.rounded })),
    };
  },
};
