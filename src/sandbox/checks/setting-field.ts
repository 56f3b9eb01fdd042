import type { ApiVersion } from '../../domain/api-version.ts';
import { type Inputs, required } from '../query-parameters.ts';

export type SettingValue = string | number | boolean | readonly string[] | readonly number[];
export type CheckSettings = Readonly<Record<string, SettingValue>>;

/** A parameter with which a client sets something of a check. */
export interface SettingField {
  readonly name: string;
  readonly versions: readonly ApiVersion[];
  /** Names of other parameters that add to this one, such as `requestheader{X}`. */
  readonly also?: readonly string[];
  /** What holds when the client says nothing, or clears what was set. */
  readonly standard?: SettingValue;
  /** A check of its type must have it. */
  readonly required?: true;
  /** The setting, from the parameter when it is there and not empty. Throws a `Refusal` for one that makes no sense. */
  read(inputs: Inputs, name: string): SettingValue | undefined;
}

/** What checks have that nobody has set anything of. */
export function standardSettings(fields: readonly SettingField[]): CheckSettings {
  return Object.fromEntries(
    fields.flatMap(({ name, standard }) => (standard === undefined ? [] : [[name, standard]])),
  );
}

/**
 * `before` with what the client gave: provided settings overwrite, omitted ones stay, an empty value
 * clears (API 3.1, section 2.1).
 */
export function withInputs(
  before: CheckSettings,
  fields: readonly SettingField[],
  inputs: Inputs,
): CheckSettings {
  const after: Record<string, SettingValue> = { ...before };
  for (const field of fields) {
    const given = namesOf(field, inputs);
    if (given.length === 0) continue;
    const value = given.every((name) => isEmpty(inputs[name]))
      ? field.standard
      : field.read(inputs, field.name);
    if (value === undefined) delete after[field.name];
    else after[field.name] = value;
  }
  for (const { name } of fields.filter((field) => field.required)) required(name, after[name]);
  return after;
}

/** An empty value clears what was set. */
export function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

/** The given parameters, among `inputs`, that belong to the field. */
export function namesOf({ name, also = [] }: SettingField, inputs: Inputs): string[] {
  return Object.keys(inputs).filter(
    (given) => given === name || also.includes(given.replace(/\d+$/, '{X}')),
  );
}
