import type { Output } from '../remote/terminal.ts';

/** Keeps written text until `release`, so that other text can be printed before it. */
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

  /** Writes the kept text. Later text is written immediately. */
  release(): void {
    for (const text of this.#held ?? []) this.#output.write(text);
    this.#held = undefined;
  }
}
