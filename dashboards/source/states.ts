import {
  MappingType,
  type Threshold,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';

function mapping(
  values: Readonly<Record<string, readonly [text: string, color: string]>>,
): ValueMapping {
  const options = Object.fromEntries(
    Object.entries(values).map(([value, [text, color]], index) => [value, { text, color, index }]),
  );
  return { type: MappingType.ValueToText, options };
}

export const checkStates = mapping({
  1: ['up', colours.good],
  2: ['paused', colours.paused],
  3: ['unknown', colours.neutral],
  4: ['not confirmed', colours.warning],
  5: ['down', colours.bad],
});

export const transactionStates = mapping({
  0: ['failing', colours.bad],
  1: ['successful', colours.good],
});

/** Of alerts, by how urgent they are. */
export const severities = mapping({
  3: ['critical', colours.bad],
  2: ['warning', colours.warning],
  1: ['info', 'text'],
});

/** Of an outage while it is open. */
export const openStates = mapping({ 1: ['down', colours.bad] });

export const yesOrNo = mapping({ 0: ['no', colours.neutral], 1: ['yes', colours.maintenance] });
export const heldBack = mapping({ 0: ['no', colours.good], 1: ['yes', colours.bad] });
export const working = mapping({ 0: ['no', colours.bad], 1: ['yes', colours.good] });

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
