import { z } from 'zod';
import type { HourOfDayAverage } from '../../domain/average.ts';
import { mean, number } from './fields.ts';

/** API 3.1, section 2.9. */
const wireHour = z.object({ hour: number.pipe(z.int().min(0).max(23)), avgresponse: number });

export const hourList = {
  field: 'hoursofday',
  decode: (entry: unknown): HourOfDayAverage | undefined => {
    const wire = wireHour.safeParse(entry).data;
    const responseTimeSeconds = mean(wire?.avgresponse, 1000);
    if (wire === undefined || responseTimeSeconds === undefined) return undefined;
    return { hour: wire.hour, responseTimeSeconds };
  },
  needs: { hour: 'an hour from 0 to 23', avgresponse: 'a number' },
  keyOf: ({ hour }: HourOfDayAverage) => hour,
};
