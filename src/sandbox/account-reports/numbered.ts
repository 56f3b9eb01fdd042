/** Things that are numbered as they are added; a number is never used again. */
export class Numbered<T> {
  readonly #byId = new Map<number, T>();
  #nextId: number;

  constructor(firstId: number) {
    this.#nextId = firstId;
  }

  get entries(): readonly (readonly [id: number, thing: T])[] {
    return [...this.#byId.entries()];
  }

  get(id: number): T | undefined {
    return this.#byId.get(id);
  }

  add(thing: T): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#byId.set(id, thing);
    return id;
  }

  replace(id: number, thing: T): void {
    this.#byId.set(id, thing);
  }

  /** False when there is none. */
  delete(id: number): boolean {
    return this.#byId.delete(id);
  }
}
