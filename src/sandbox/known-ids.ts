import { type Inputs, integerListParameter } from './query-parameters.ts';
import { Refusal } from './refusal.ts';

/** Throws a 400 when the parameter names something there is not; `what` says what it should be, such as `team`. */
export function requireKnownIds(
  inputs: Inputs,
  name: string,
  what: string,
  find: (id: number) => unknown,
): void {
  const unknown = integerListParameter(inputs, name).find((id) => find(id) === undefined);
  if (unknown === undefined) return;
  throw new Refusal(400, `Parameter ${name} names ${unknown}, which is no ${what}`);
}
