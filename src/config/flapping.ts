import { z } from 'zod';
import { defaultFlapping, type FlappingLimits } from '../slo/flapping.ts';
import { durationField, formatDuration, wholeNumberField } from './fields.ts';

const [minute, day] = [60, 86_400];

export const flappingLimitsSchema = z
  .strictObject({
    outages: wholeNumberField({
      description: 'An item flaps from this outage on …',
      defaultText: `${defaultFlapping.outages}`,
      min: 2,
      max: 100,
    }).optional(),
    within: durationField({
      description: '… when the first one began at most this long before …',
      defaultText: formatDuration(defaultFlapping.withinSeconds),
      min: minute,
      max: day,
    }).optional(),
    up_for: durationField({
      description: '… until it has been up for this long.',
      defaultText: formatDuration(defaultFlapping.upForSeconds),
      min: minute,
      max: day,
    }).optional(),
  })
  .meta({
    description:
      'When a check or a transaction counts as flapping: `uptime_check_flapping` and `uptime_transaction_flapping` keep its alert.',
  });

export function flappingLimitsOf(
  settings: z.output<typeof flappingLimitsSchema> = {},
): FlappingLimits {
  const {
    outages = defaultFlapping.outages,
    within: withinSeconds = defaultFlapping.withinSeconds,
    up_for: upForSeconds = defaultFlapping.upForSeconds,
  } = settings;
  return { outages, withinSeconds, upForSeconds };
}
