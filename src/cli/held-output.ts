interface Output {
  write(text: string): unknown;
}

/** Keeps written text until `release`, so that other text is read first. */
export class HeldOutput implements Output {
  readonly #output: Output;
  #held: string[] | undefined = [];

  constructor(output: Output) {
    this.#output = output;
  }

  write(text: string): void {
    if (this.#held === undefined) this.#output.write(text);
    else this.#held.push(text);
  }

  /** Writes what was kept, and from then on everything at once. */
  release(): void {
    for (const text of this.#held ?? []) this.#output.write(text);
    this.#held = undefined;
  }
}
