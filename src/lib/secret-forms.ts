/**
 * The forms in which a service or a library may repeat a secret, as sources of regular expressions:
 * unchanged, escaped for JSON or a URL, and in base64 with either alphabet (RFC 4648, sections 4
 * and 5). `secret:` is the form of a user name without a password.
 */
export function secretForms(secret: string): readonly string[] {
  // A lone surrogate cannot be encoded for a URL.
  const encoded = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const literals = [secret, JSON.stringify(secret).slice(1, -1), encoded, form];
  const digits = [secret, `${secret}:`].flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  });
  return [...literals.map(sourceOf), ...digits.map((text) => `${sourceOf(text)}=*`)];
}

/** The source of a regular expression, with the flag `u`, that matches this text. */
function sourceOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
