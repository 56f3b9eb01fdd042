const encoder = new TextEncoder();

/** Returns the longest beginning of a text that has at most so many bytes as UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  // UTF-8 has at most three bytes for each UTF-16 unit.
  if (3 * text.length <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/**
 * The longest value of a label in bytes; it is longer than any name of the service. Longer texts of
 * the service are cut when they are read, so that two distinct ones have distinct labels.
 */
export const maxLabelBytes = 1_000;
