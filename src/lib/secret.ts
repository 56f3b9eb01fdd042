import { inspect } from 'node:util';

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

/**
 * Removes secrets from text by value, in every form in which a service or a library may echo them: as
 * they are and in base64, and each of these escaped for JSON or encoded for a URL.
 */
export class Scrubber {
  /** Longest first: a short form may be part of a longer one, whose rest would then stay behind. */
  #forms: readonly string[] = [];

  constructor(secrets: Iterable<Secret> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: Secret): void {
    const value = secret.reveal();
    if (value === '') return;
    const forms = new Set([...this.#forms, ...echoedForms(value)]);
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  /** Whether there is anything to scrub in a text in UTF-8; far quicker than scrubbing it. */
  occursIn(text: Buffer): boolean {
    return this.#forms.some((form) => text.includes(form));
  }

  scrub(text: string): string {
    let clean = text;
    for (const form of this.#forms) clean = clean.replaceAll(form, secretMask);
    return clean;
  }
}

function echoedForms(value: string): string[] {
  // With a colon, it is the user name of basic credentials that have no password.
  const bodies = [value, ...base64Forms(value), ...base64Forms(`${value}:`)];
  return bodies.flatMap((body) => [body, JSON.stringify(body).slice(1, -1), ...urlForms(body)]);
}

/** In both alphabets (RFC 4648, sections 4 and 5), padded and not. */
function base64Forms(value: string): string[] {
  const padded = Buffer.from(value).toString('base64');
  return [padded, padded.replaceAll('+', '-').replaceAll('/', '_')].flatMap((form) => [
    form,
    form.replace(/=+$/, ''),
  ]);
}

/**
 * As a form, which writes a space as `+`, and as a path or query, where `!'()` may stand as they are;
 * the digits of escapes come in either case.
 */
function urlForms(value: string): string[] {
  const form = new URLSearchParams({ value }).toString().slice('value='.length);
  const component = encodeURIComponent(value.toWellFormed());
  return [form, form.replaceAll('+', '%20'), component].flatMap((encoded) => [
    encoded,
    encoded.replaceAll(/%../g, (escaped) => escaped.toLowerCase()),
  ]);
}
