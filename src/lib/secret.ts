import { inspect } from 'node:util';

const mask = '<secret>';

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
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}

/**
 * Removes secrets from text by value, in every form in which a service or a library may echo them:
 * as they are, JSON-escaped, URL-encoded, and base64-encoded as HTTP basic credentials.
 */
export class Scrubber {
  readonly #forms = new Set<string>();

  constructor(secrets: Iterable<Secret> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: Secret): void {
    const value = secret.reveal();
    if (value === '') return;
    for (const form of [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      Buffer.from(`${value}:`).toString('base64'),
      Buffer.from(value).toString('base64'),
    ]) {
      this.#forms.add(form);
    }
  }

  scrub(text: string): string {
    let clean = text;
    for (const form of this.#longestFirst()) clean = clean.replaceAll(form, mask);
    return clean;
  }

  /** A short form may be part of a longer one, whose rest would then stay behind. */
  #longestFirst(): string[] {
    return [...this.#forms].sort((a, b) => b.length - a.length);
  }
}
