/**
 * Looks for many texts in a large body at once (Wu and Manber, 1994): the last two bytes of a window, as long as the
 * shortest text, say how far no text can begin; so most bytes are never looked at.
 */
export class TextSearch {
  readonly #needles: readonly Buffer[];
  /** Bytes of the window. */
  readonly #width: number;
  /** By two bytes: how far the window can move; 0 where a text may have them at its end. */
  readonly #shifts: Uint8Array;
  /** A text so short that no window can be made of it. */
  readonly #hasTiny: boolean;

  constructor(texts: Iterable<string>) {
    const needles = [...texts].map((text) => Buffer.from(text));
    this.#needles = needles;
    this.#hasTiny = needles.some(({ length }) => length < 2);
    this.#width = Math.min(maxShift + 1, ...needles.map(({ length }) => length));
    this.#shifts = new Uint8Array(this.#hasTiny ? 0 : 2 ** 16).fill(this.#width - 1);
    for (const needle of this.#hasTiny ? [] : needles) {
      for (let end = 1; end < this.#width; end++) {
        const pair = needle.readUInt16BE(end - 1);
        const shift = this.#width - 1 - end;
        this.#shifts[pair] = Math.min(this.#shifts[pair] ?? shift, shift);
      }
    }
  }

  /** Whether any of the texts is in a body in UTF-8. An empty text is in every body. */
  occursIn(body: Buffer): boolean {
    if (this.#needles.length === 0) return false;
    if (this.#hasTiny) return this.#needles.some((needle) => body.includes(needle));
    const shifts = this.#shifts;
    let end = this.#width - 1;
    while (end < body.length) {
      const shift = shifts[((body[end - 1] ?? 0) << 8) | (body[end] ?? 0)] ?? 0;
      if (shift === 0 && this.#beginsAt(body, end - this.#width + 1)) return true;
      end += Math.max(1, shift);
    }
    return false;
  }

  #beginsAt(body: Buffer, start: number): boolean {
    return this.#needles.some(
      (needle) =>
        body[start] === needle[0] &&
        start + needle.length <= body.length &&
        body.compare(needle, 0, needle.length, start, start + needle.length) === 0,
    );
  }
}

/** The largest shift that fits into a byte. */
const maxShift = 255;
