/** `T` with every key that may be undefined as an optional key instead. */
export type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** `T` while it is filled field by field, which is several times as fast as spreading. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns a copy without undefined fields: `in` and tests distinguish absent ones. */
export function present<T extends object>(value: T): Present<T> {
  const copy: { [K in keyof T]?: T[K] } = {};
  for (const key in value) {
    const item = value[key];
    if (item !== undefined) copy[key] = item;
  }
  return copy as unknown as Present<T>;
}

/** The names of the fields of `value`, in their order. */
export function keysOf<T extends object>(value: T): readonly (keyof T & string)[] {
  return Object.keys(value) as (keyof T & string)[];
}

/** The fields of `value` with these names, without those that are undefined. */
export function pick<T extends object, K extends keyof T>(
  value: T,
  names: readonly K[],
): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const name of names) if (value[name] !== undefined) picked[name] = value[name];
  return picked as Pick<T, K>;
}
