/** Anything but blanks, controls and marks without a form of their own. */
const visible = /[^\s\p{Cc}\p{Cf}]/u;

/** Whether a reader of the text sees something. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}
