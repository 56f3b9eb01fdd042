/** The exporter's URL, as its last start logged it. */
export function urlOf(log: readonly string[]): string {
  const addresses = [...log.join('').matchAll(/msg="serving metrics" .*?address=(\S+)/g)];
  const address = addresses.at(-1)?.[1];
  if (address === undefined) throw new Error('it does not serve yet');
  return `http://${address}`;
}
