import { z } from 'zod';
import { defaultFallbackRequestsPerHour } from '../budget/budget.ts';
import { defaultReserve, type Reserve } from '../budget/reserve.ts';
import { field, isWholeNumber, wholeNumberField } from './fields.ts';

const percentPattern = /^(\d{1,2}(?:\.\d+)?)%$/;

const reserve = (window: string) =>
  field(
    {
      description: `Part of the ${window} window that is left to the account's other users.`,
      allowed: 'a share from 0% to 99%, or a whole number of requests',
      defaultText: `${defaultReserve.share * 100}%`,
      json: {
        anyOf: [
          { type: 'integer', minimum: 0 },
          { type: 'string', pattern: percentPattern.source },
        ],
      },
    },
    reserveOf,
  ).optional();

function reserveOf(value: unknown): Reserve | undefined {
  if (isWholeNumber(value) && value >= 0) return { requests: value };
  const [, percent] = (typeof value === 'string' && percentPattern.exec(value)) || [];
  const share = Number(percent) / 100;
  return share <= 0.99 ? { share } : undefined;
}

export const budgetSchema = z
  .strictObject({
    reserve: z
      .strictObject({ short: reserve('short'), long: reserve('long') })
      .meta({ description: "Requests that the exporter leaves to the account's other users." })
      .optional(),
    fallback_requests_per_hour: wholeNumberField({
      description: 'Request rate while the service does not report its limits.',
      defaultText: `${defaultFallbackRequestsPerHour}`,
      min: 1,
      max: 100_000,
    }).optional(),
  })
  .meta({ description: 'How much of the request budget the exporter may spend.' });
