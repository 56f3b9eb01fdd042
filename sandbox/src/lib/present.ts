/** `T` with every key that may be undefined as an optional key instead. */
type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** Returns a copy without undefined fields: JSON lacks them, and `in` tells absent ones apart. */
export function present<T extends object>(value: T): Present<T> {
  const copy: { [K in keyof T]?: T[K] } = {};
  for (const key in value) {
    const item = value[key];
    if (item !== undefined) copy[key] = item;
  }
  return copy as unknown as Present<T>;
}
