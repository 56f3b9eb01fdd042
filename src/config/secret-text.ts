import { Secret } from '../lib/secret.ts';

const forms = {
  token: { words: 'token: one word of visible ASCII characters', legible: /^[\x21-\x7e]+$/ },
  password: { words: 'password: one line that is not empty', legible: /^[^\p{Cc}]+$/u },
  app_key: { words: 'key: one word of visible ASCII characters', legible: /^[\x21-\x7e]+$/ },
} as const;

export type SecretKind = keyof typeof forms;

/** A password may hold anything that can be typed; the others travel in headers as they are. */
export function readSecretText(
  kind: SecretKind,
  text: string,
): { readonly secret: Secret } | { readonly problem: string } {
  const { words, legible } = forms[kind];
  return legible.test(text)
    ? { secret: new Secret(text) }
    : { problem: `does not hold a ${words}` };
}

/** In basic credentials a colon ends the user's name. */
export function isEmail(text: string): boolean {
  return /^[\x21-\x39\x3b-\x7e]+$/.test(text);
}
