import {
  MappingType,
  type Threshold,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';

export function mapping(
  values: Readonly<Record<string, readonly [text: string, color: string]>>,
): ValueMapping {
  const options = Object.fromEntries(
    Object.entries(values).map(([value, [text, color]], index) => [value, { text, color, index }]),
  );
  return { type: MappingType.ValueToText, options };
}

/**
 * States of checks and transactions, the worst has the greatest number; 0 is a row that is no data.
 */
export const itemStates = mapping({
  1: ['up', colours.good],
  2: ['paused', colours.paused],
  3: ['in maintenance', colours.maintenance],
  4: ['down, in maintenance', colours.maintenance],
  5: ['unknown', colours.neutral],
  6: ['not confirmed', colours.warning],
  7: ['down', colours.bad],
  8: ['not known', colours.neutral],
});

/** A row that is no data has this number where others have theirs. */
export const noNumber = (number: number) => mapping({ [number]: ['–', colours.neutral] });

/**
 * Of the beginning of an outage, which is known as a bound only where it was first seen as it went
 * on.
 */
export const orEarlier = mapping({
  exact: ['', 'text'],
  before: ['or earlier', colours.warning],
});

/** Of an outage. */
export const ongoing = mapping({
  1: ['over', 'text'],
  2: ['goes on', colours.bad],
  3: ['over, at least', colours.warning],
});

/** Of alerts, by how urgent they are. */
export const severities = mapping({
  3: ['critical', colours.bad],
  2: ['warning', colours.warning],
  1: ['info', 'text'],
  0: ['other', 'text'],
});

/** Of an outage, by whether it lies in maintenance as a whole. */
export const outageStates = mapping({
  1: ['down', colours.bad],
  2: ['down, in maintenance', colours.maintenance],
});

export const yesOrNo = mapping({ 1: ['no', colours.neutral], 2: ['yes', colours.maintenance] });

/** From a colour to the next at each limit, upwards. */
export function steps(
  first: string,
  ...others: readonly (readonly [number, string])[]
): Threshold[] {
  return [{ value: null, color: first }, ...others.map(([value, color]) => ({ value, color }))];
}

export const badAbove = (limit: number) => steps(colours.good, [limit, colours.bad]);
export const plain = steps(colours.good);
/** Of an error budget: overspent, less than a quarter left, enough. */
export const budgetLeft = steps(colours.bad, [0, colours.warning], [0.25, colours.good]);
