import { isShort, Scrubber, type Secret } from '../../lib/secret.ts';

const maxCharacters = 200;

/** Makes foreign text safe for a log line: no secrets, no control characters, bounded length. */
export function sanitizeText(text: string, scrubber: Scrubber): string {
  // Scrub before shortening: a secret cut in two would not be recognized.
  const clean = scrubber
    .scrub(text)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const characters = [...clean];
  return characters.length <= maxCharacters
    ? clean
    : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

/** Prefixes of escaped ASCII, as in `\u0041` or `\/`. Such escapes could conceal a secret. */
const escapesOfAscii = ['\\u002', '\\u003', '\\u004', '\\u005', '\\u006', '\\u007', '\\/'];
/**
 * All prefixes of escapes. Many responses escape characters outside ASCII, so these prefixes are
 * searched only if a secret has such characters.
 */
const everyEscape = ['\\u', '\\/'];
const isPrintableAscii = /^[ -~]*$/;

/**
 * Removes secrets that the service sends back, for example as the name of a check. Every response
 * passes through this, so that no label, view, file or log can contain a secret. A response without
 * secrets costs one search of its text.
 */
export class EchoedSecrets {
  readonly #scrubber: Scrubber;
  readonly #hidingEscapes: readonly string[];

  constructor(secrets: readonly Secret[]) {
    // A short secret may be a word such as a status.
    const concealed = secrets.filter((secret) => !isShort(secret));
    this.#scrubber = new Scrubber(concealed);
    const arePlain = concealed.every((secret) => isPrintableAscii.test(secret.reveal()));
    this.#hidingEscapes = arePlain ? escapesOfAscii : everyEscape;
  }

  /** Parses the JSON text of a response, without secrets. */
  parse(text: string): unknown {
    const value: unknown = JSON.parse(text);
    const isSuspect = this.#scrubber.occursIn(text) || this.#hasHidingEscape(text);
    return isSuspect ? this.#scrubbed(value) : value;
  }

  /** The first test is cheap, and most texts have no escape at all. */
  #hasHidingEscape(text: string): boolean {
    return text.includes('\\') && this.#hidingEscapes.some((prefix) => text.includes(prefix));
  }

  /** Replaces secrets in all texts, without recursion: a response can be nested deeply. */
  #scrubbed(value: unknown): unknown {
    const root: Record<string, unknown> = { value };
    const pending = [root];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const [key, item] of Object.entries(next)) {
        if (typeof item === 'string') next[key] = this.#scrubber.scrub(item);
        else if (typeof item === 'object' && item !== null) {
          pending.push(item as Record<string, unknown>);
        }
      }
    }
    return root.value;
  }
}
