import type { ErrorCode } from 'yaml';

export const asteriskNeedsQuotes = 'text that begins with * needs quotes';

/** In the library's own words parts of the text are repeated, which may be a secret. */
const messageByCode: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: asteriskNeedsQuotes,
  BAD_INDENT: 'the indentation does not fit the lines above',
  BAD_SCALAR_START: 'text that begins with @ or ` needs quotes',
  DUPLICATE_KEY: 'the key stands there twice',
  MISSING_CHAR:
    'a quote, bracket, comma or colon is missing, or the indentation does not fit the lines above',
  MULTILINE_IMPLICIT_KEY: 'a key must stand in one line; is a colon missing?',
  MULTIPLE_DOCS: 'the file holds more than one document (---)',
  BLOCK_AS_IMPLICIT_KEY: 'text that holds ": " needs quotes',
  TAB_AS_INDENT: 'a tab indents it; use spaces',
  TAG_RESOLVE_FAILED: 'text that begins with ! needs quotes',
};

/** What is wrong with a text that is no YAML. */
export function describeYamlError(code: ErrorCode): string {
  return messageByCode[code] ?? 'not YAML';
}
