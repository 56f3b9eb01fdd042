/** One line of text; it becomes the value of a label. */
export function isAccountName(text: string): boolean {
  return /^[^\p{Cc}]{1,200}$/u.test(text);
}
