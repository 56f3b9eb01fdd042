/**
 * The forms in which a service or a library repeats a secret: as it is, within JSON or a URL, and in base64 with either
 * alphabet (RFC 4648, sections 4 and 5), where `secret:` is a user name without a password. Sources of regular expressions.
 */
export function secretForms(secret: string): readonly string[] {
  // Half of a surrogate pair has no encoding.
  const encoded = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const literals = [secret, JSON.stringify(secret).slice(1, -1), encoded, form];
  const digits = [secret, `${secret}:`].flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  });
  return [...literals.map(sourceOf), ...digits.map((text) => `${sourceOf(text)}=*`)];
}

/** The source of a regular expression that matches this text. */
function sourceOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
