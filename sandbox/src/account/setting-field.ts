import { type Inputs, requiredParameter } from '../server/parameters.ts';
import type { ApiVersion } from '../vocabulary.ts';

type SettingValue = string | number | boolean | readonly string[] | readonly number[];
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** A parameter that sets something of a check. */
export interface SettingField {
  readonly name: string;
  readonly versions: readonly ApiVersion[];
  /** Names of other parameters that add to this one, such as `requestheader{X}`. */
  readonly aliases?: readonly string[];
  /** The value when the client omits the parameter or clears the setting. */
  readonly defaultValue?: SettingValue;
  /** A check of its type must have it. */
  readonly required?: true;
  /**
   * The setting, from the parameter if it is present and not empty. Throws an `HttpError` for an
   * invalid one.
   */
  read(inputs: Inputs, name: string): SettingValue | undefined;
}

/** The default settings of a check. */
export function defaultSettings(fields: readonly SettingField[]): SettingValues {
  return Object.fromEntries(
    fields.flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [] : [[name, defaultValue]],
    ),
  );
}

/**
 * `before` with the client's inputs: provided settings overwrite, omitted ones stay, an empty value
 * clears (API 3.1, section 2.1).
 */
export function withInputs(
  before: SettingValues,
  fields: readonly SettingField[],
  inputs: Inputs,
): SettingValues {
  const after: Record<string, SettingValue> = { ...before };
  for (const field of fields) {
    const given = givenNames(field, inputs);
    if (given.length === 0) continue;
    const value = given.every((name) => isEmpty(inputs[name]))
      ? field.defaultValue
      : field.read(inputs, field.name);
    if (value === undefined) delete after[field.name];
    else after[field.name] = value;
  }
  for (const { name } of fields.filter((field) => field.required))
    requiredParameter(name, after[name]);
  return after;
}

/** An empty value clears the setting. */
export function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

/** The given parameters, among `inputs`, that belong to the field. */
export function givenNames({ name, aliases = [] }: SettingField, inputs: Inputs): string[] {
  return Object.keys(inputs).filter(
    (given) => given === name || aliases.includes(given.replace(/\d+$/, '{X}')),
  );
}
