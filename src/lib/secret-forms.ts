/**
 * The forms in which a service or a library may repeat a secret, as sources of regular expressions:
 * unchanged, escaped for JSON or a URL, and in base64 with either alphabet (RFC 4648, sections 4
 * and 5). `secret:` is the form of a user name without a password.
 */
export function secretForms(secret: string): readonly string[] {
  // A lone surrogate cannot be encoded for a URL.
  const encoded = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  const digits = [secret, `${secret}:`].flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  });
  return [
    ...[secret, json].map(sourceOf),
    inAnyCase(sourceOf(inAscii(json)), /(?<=\\\\u)[\da-f]{4}/g),
    ...[encoded, form].map((text) => inAnyCase(sourceOf(text), /(?<=%)[\dA-F]{2}/g)),
    ...digits.map((text) => `${sourceOf(text)}=*`),
  ];
}

/** The source of a regular expression, with the flag `u`, that matches this text. */
function sourceOf(text: string): string {
  // JSON may have a backslash before each slash, also in base64.
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, (sign) => (sign === '/' ? '\\\\?/' : `\\${sign}`));
}

/** JSON text without characters outside ASCII (RFC 8259, section 7). */
function inAscii(json: string): string {
  return json.replaceAll(/[\x7f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Matches the hexadecimal digits of a source, which `pattern` finds, in large and small letters. */
function inAnyCase(source: string, pattern: RegExp): string {
  return source.replaceAll(pattern, (digits) =>
    digits.replaceAll(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`),
  );
}
