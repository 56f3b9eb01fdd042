import { inspect } from 'node:util';
import { type EncodedForm, encodedForms, urlAnchors } from './encoded-forms.ts';
import { TextSearch } from './text-search.ts';

/** The replacement for a secret. */
export const secretMask = '<secret>';

/** A value that shows itself only where it is asked for by name; printed in any other way it is `<secret>`. */
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

/** Removes secrets from text by value, in every form in which a service or a library may echo them. */
export class Scrubber {
  readonly #values = new Set<string>();
  /** Longest first: a short form may be part of a longer one, whose rest would then stay behind. */
  #forms: readonly EncodedForm[] = [];
  readonly #anchors = new Set<string>();
  #search = new TextSearch([]);

  constructor(secrets: Iterable<Secret> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: Secret): void {
    const value = secret.reveal();
    if (value === '' || this.#values.has(value)) return;
    this.#values.add(value);
    const forms = encodedForms(value);
    this.#forms = [...this.#forms, ...forms].sort((a, b) => b.length - a.length);
    for (const { anchor } of forms) this.#anchors.add(anchor);
    for (const anchor of urlAnchors(value)) this.#anchors.add(anchor);
    this.#search = new TextSearch(this.#anchors);
  }

  /** Whether there may be anything to scrub in a text in UTF-8; far quicker than scrubbing it. */
  occursIn(text: Buffer): boolean {
    return this.#search.occursIn(text);
  }

  scrub(text: string): string {
    let clean = text;
    for (const { pattern } of this.#forms) clean = clean.replace(pattern, secretMask);
    return clean;
  }
}
