export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** The credentials of an `Authorization` header of the basic scheme (RFC 7617); undefined when it has none. */
export function parseBasicCredentials(header: string | undefined): Credentials | undefined {
  const [, encoded] = /^basic +([a-z\d+/]+=*) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
