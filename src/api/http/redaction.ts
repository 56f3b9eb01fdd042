import { Scrubber, type Secret } from '../../lib/secret.ts';

const maxCharacters = 200;

/** Makes foreign text safe for one log line: no secrets, no control characters, bounded length. */
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

/** A shorter one occurs in too many texts by chance, such as a status. Errors and the log are scrubbed of it all the same. */
const minSecretLength = 8;
/** A printable character of ASCII that is escaped, as in `\u0041` or `\/`, can hide a secret from a search. */
const escapesOfAscii = ['\\u002', '\\u003', '\\u004', '\\u005', '\\u006', '\\u007', '\\/'];
/** Many texts have other characters escaped, so these are a reason to look only where a secret has such. */
const everyEscape = ['\\u', '\\/'];
const backslash = 0x5c;
const isPrintableAscii = /^[ -~]*$/;

/**
 * Removes secrets that the service sends back, for example as the name of a check. This happens where a response
 * is read, so that no label, page, file or log can contain them. A response without secrets costs one search of
 * its bytes.
 */
export class EchoedSecrets {
  readonly #scrubber: Scrubber;
  readonly #hidingEscapes: readonly string[];

  constructor(secrets: readonly Secret[]) {
    const concealed = secrets.filter((secret) => secret.reveal().length >= minSecretLength);
    this.#scrubber = new Scrubber(concealed);
    const arePlain = concealed.every((secret) => isPrintableAscii.test(secret.reveal()));
    this.#hidingEscapes = arePlain ? escapesOfAscii : everyEscape;
  }

  /** Redacts the texts of a JSON value in place. */
  redact(body: Buffer, value: unknown): unknown {
    const suspect = this.#scrubber.occursIn(body) || this.#hasHidingEscape(body);
    return suspect ? this.#scrubbed(value) : value;
  }

  /** Most bodies have no escape at all. */
  #hasHidingEscape(body: Buffer): boolean {
    return body.includes(backslash) && this.#hidingEscapes.some((hiding) => body.includes(hiding));
  }

  /** Without recursion: a reply can be nested more deeply than the stack. */
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
