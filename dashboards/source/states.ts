import {
  MappingType,
  type Threshold,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { colours, nothing } from './colours.ts';

export function mapping(
  values: Readonly<Record<string, readonly [text: string, color: string]>>,
): ValueMapping {
  const options = Object.fromEntries(
    Object.entries(values).map(([value, [text, color]], index) => [value, { text, color, index }]),
  );
  return { type: MappingType.ValueToText, options };
}

/** States of checks and transactions; the worst has the largest number. */
export const itemStates = mapping({
  1: ['up', colours.good],
  2: ['paused', colours.paused],
  3: ['in maintenance', colours.maintenance],
  5: ['unknown', colours.neutral],
  6: ['not confirmed', colours.warning],
  7: ['down', colours.bad],
});

/** The label `status` of checks and transactions, in table cells. */
export const statusNames = mapping({
  down: ['down', colours.bad],
  failing: ['down', colours.bad],
  unconfirmed_down: ['not confirmed', colours.warning],
  unknown: ['unknown', colours.neutral],
  paused: ['paused', colours.paused],
  up: ['up', 'text'],
  successful: ['up', 'text'],
});

/**
 * Marks the start of an outage that is only the latest possible one, because the outage was ongoing
 * when first seen.
 */
export const orEarlier = mapping({
  exact: ['', 'text'],
  before: ['no, earlier', colours.warning],
});

/** Whether an outage is ongoing. */
export const ongoing = mapping({
  1: ['over', 'text'],
  2: ['goes on', colours.bad],
  3: ['over, at least', colours.warning],
});

/** Severities of alerts. */
export const severities = mapping({
  3: ['critical', colours.bad],
  2: ['warning', colours.warning],
  1: ['info', 'text'],
  0: ['other', 'text'],
});

/** Outages, by whether they are completely in maintenance. */
export const outageStates = mapping({
  1: ['down', colours.bad],
  2: ['down, in maintenance', colours.maintenance],
});

/** A duration of 0 is none. */
export const noDuration = mapping({ 0: [nothing, colours.neutral] });

export const yesOrNo = mapping({ 0: ['no', colours.neutral], 1: ['yes', colours.maintenance] });
export const yes = mapping({ 1: ['yes', colours.maintenance] });

/** Thresholds: a base colour, and the colour from each limit upwards. */
export function steps(
  first: string,
  ...others: readonly (readonly [number, string])[]
): Threshold[] {
  return [{ value: null, color: first }, ...others.map(([value, color]) => ({ value, color }))];
}

export const badAbove = (limit: number) => steps(colours.good, [limit, colours.bad]);
export const plain = steps(colours.good);
/** Colours of an error budget: overspent, less than a quarter left, enough. */
export const budgetLeft = steps(colours.bad, [0, colours.warning], [0.25, colours.good]);
