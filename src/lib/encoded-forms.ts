/** One form in which a secret may occur in a text, whatever else has been escaped or encoded around it. */
export interface EncodedForm {
  readonly pattern: RegExp;
  /** Characters that it matches at least. */
  readonly length: number;
  /** Stands in every text that the pattern matches, encoded URLs of all its letters aside; empty when nothing does. */
  readonly anchor: string;
}

/** A shorter one occurs in too many texts by chance. */
const minAnchorLength = 4;
/** The core of fewer bytes in base64 is found in other texts by chance. */
const minCoreBytes = 6;

const base64Digit = '[A-Za-z0-9+/_-]';

/**
 * The forms in which a service or a library may echo a secret: as it is, in base64 (RFC 4648, sections 4 and 5) alone, as
 * a bearer token, as the user or the password of basic credentials or anywhere else within, and in hexadecimal digits. In
 * each of them characters may be escaped for JSON, HTML or a URL, also more than once.
 */
export function encodedForms(secret: string): readonly EncodedForm[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  return [
    formOf(secret, textPattern(secret)),
    // With a colon, it is the user name of basic credentials that have no password.
    ...[`Bearer ${secret}`, `${secret}:`, secret].map(base64Form),
    ...(bytes.length < minCoreBytes ? [] : [0, 1, 2].map((offset) => coreForm(bytes, offset))),
    formOf(hex, [...hex].map(eitherCase).join('')),
    formOf(hex.toUpperCase(), hex.toUpperCase()),
  ];
}

/** What stands in a text in which every byte of the secret is encoded for a URL. */
export function urlAnchors(secret: string): readonly string[] {
  const encoded = [...Buffer.from(secret).subarray(0, 2)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
  return [encoded, encoded.toUpperCase()];
}

function formOf(body: string, pattern: string): EncodedForm {
  const runs = body.match(/[a-z\d]+/gi) ?? [];
  const longest = runs.reduce<string>(
    (one, other) => (other.length > one.length ? other : one),
    '',
  );
  return {
    pattern: new RegExp(pattern, 'g'),
    length: body.length,
    anchor: longest.length < minAnchorLength ? '' : longest,
  };
}

function base64Form(text: string): EncodedForm {
  const digits = Buffer.from(text).toString('base64').replace(/=+$/, '');
  const padding = `(?:${characterPattern('=')}){0,2}`;
  return formOf(anchored(digits), [...digits].map(digitPattern).join('') + padding);
}

/**
 * The digits that a secret alone decides within the base64 of a longer text, in which it begins so many bytes after a
 * group of three. The digits beside them, which it shares with its neighbours, go with it.
 */
function coreForm(bytes: Buffer, offset: number): EncodedForm {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  const digits = padded.toString('base64').slice(first, end);
  const before = offset === 0 ? '' : `${base64Digit}?`;
  const after = (padded.length * 8) % 6 === 0 ? '' : `${base64Digit}?`;
  return formOf(anchored(digits), before + [...digits].map(digitPattern).join('') + after);
}

/** Only what is the same in both alphabets can be an anchor. */
function anchored(digits: string): string {
  return digits.replaceAll(/[+/]/g, ' ');
}

function digitPattern(digit: string): string {
  if (digit === '+') return `(?:-|${characterPattern('+')})`;
  if (digit === '/') return `(?:_|${characterPattern('/')})`;
  return digit;
}

const htmlNames: { readonly [character: string]: string } = {
  '&': 'amp|AMP',
  '<': 'lt|LT',
  '>': 'gt|GT',
  '"': 'quot|QUOT',
  "'": 'apos',
  '/': 'sol',
  '=': 'equals',
  '+': 'plus',
};

const jsonEscapes: { readonly [character: string]: string } = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

/** The characters that escapes are made of, as a further encoding leaves them. */
const backslash = '(?:\\\\|%(?:25)*5[cC]|&#92;)';
const semicolon = '(?:;|%(?:25)*3[bB])';
const hash = '(?:#|%(?:25)*23)';
const ampersand = `(?:&|%(?:25)*26|u0026)(?:(?:amp|${hash}0*38|${hash}[xX]0*26)${semicolon})*`;

/** Four escapings put 15 of them before a character. A bound keeps the search linear in the length of the text. */
const escaping = `${backslash}{0,15}`;

/** Each run of backslashes is one pattern: patterns side by side would try every way to share a longer run. */
function textPattern(secret: string): string {
  return secret.replaceAll(/\\+|[^\\]/gsu, (part) =>
    part.startsWith('\\')
      ? `(?:${backslash}|u005[cC]){${part.length},${16 * part.length}}`
      : characterPattern(part),
  );
}

/** A character but a backslash as it is, or escaped or encoded several times. */
function characterPattern(character: string): string {
  const literal = character.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  // Half of a pair is no character to those who encode it.
  const encoded = Buffer.from(character.toWellFormed());
  const url = [...encoded].map((byte) => `%(?:25)*${hexPattern(byte, 2)}`).join('');
  if (/[a-z\d]/i.test(character)) return `(?:${literal}|${url})`;
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, place) => character.charCodeAt(place));
  const names = htmlNames[character];
  const letter = jsonEscapes[character];
  const alternatives = [
    literal,
    url,
    units.map((unit) => `u${hexPattern(unit, 4)}`).join(`${backslash}{1,15}`),
    `${ampersand}${hash}0*${code}${semicolon}`,
    `${ampersand}${hash}[xX]0*${hexPattern(code, 1)}${semicolon}`,
    ...(names === undefined ? [] : [`${ampersand}(?:${names})${semicolon}`]),
    ...(letter === undefined ? [] : [letter]),
    ...(character === ' ' ? ['\\+|%(?:25)*2[bB]'] : []),
  ];
  return `(?:${escaping}(?:${alternatives.join('|')}))`;
}

function hexPattern(number: number, digits: number): string {
  return [...number.toString(16).padStart(digits, '0')].map(eitherCase).join('');
}

function eitherCase(digit: string): string {
  return /\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`;
}
