/** A set that forgets what has not been met for the longest time. */
export class BoundedSet {
  readonly #limit: number;
  readonly #values = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#values.size;
  }

  has(value: string): boolean {
    if (!this.#values.delete(value)) return false;
    this.#values.add(value);
    return true;
  }

  add(value: string): void {
    this.#values.delete(value);
    this.#values.add(value);
    const [oldest] = this.#values;
    if (this.#values.size > this.#limit && oldest !== undefined) this.#values.delete(oldest);
  }
}
