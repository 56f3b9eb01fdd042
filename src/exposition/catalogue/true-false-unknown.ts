/** The label value of something that the service need not have said. */
export function trueFalseUnknown(value: boolean | undefined): string {
  return value === undefined ? 'unknown' : String(value);
}
