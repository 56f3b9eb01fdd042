import { inspect } from 'node:util';
import { secretForms } from './secret-forms.ts';

/** The replacement for a secret. */
export const secretMask = '<secret>';

/** A value that only `reveal()` returns. In every other output it is `<secret>`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return secretMask;
  }

  toJSON(): string {
    return secretMask;
  }

  [inspect.custom](): string {
    return secretMask;
  }
}

/** In characters. A shorter secret may be a word or a number that means something else. */
const minSecretLength = 8;

/** Whether a secret is so short that it is removed only where it stands alone. */
export function isShort(secret: Secret): boolean {
  return secret.reveal().length < minSecretLength;
}

/** Not within a word or a number, nor within a time or a date such as `12:17:05`. */
function alone(source: string): string {
  return `(?<![\\p{L}\\p{N}_]|\\d[-:.])(?:${source})(?![\\p{L}\\p{N}_]|[-:.]\\d)`;
}

/** Removes secrets from text, in all forms in which services and libraries repeat them. */
export class Scrubber {
  /** The form of each, by its source. */
  readonly #forms = new Map<string, string>();
  #pattern: RegExp | undefined;

  constructor(secrets: Iterable<Secret> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: Secret): void {
    const value = secret.reveal();
    if (value === '') return;
    for (const form of secretForms(value))
      this.#forms.set(form, isShort(secret) ? alone(form) : form);
    // Longest first: if a short form is the start of a longer one, replacing it would leave the
    // rest of the longer one.
    const sources = [...this.#forms].sort(([a], [b]) => b.length - a.length);
    this.#pattern = new RegExp(sources.map(([, source]) => source).join('|'), 'gu');
  }

  /** Returns whether the text contains a secret. */
  occursIn(text: string): boolean {
    return this.#pattern !== undefined && text.search(this.#pattern) >= 0;
  }

  scrub(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, secretMask);
  }
}
