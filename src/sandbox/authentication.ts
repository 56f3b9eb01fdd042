export type Access = 'read' | 'write';

export interface Tokens {
  readonly token: string;
  readonly readOnlyToken?: string;
}

/**
 * What the credentials of a request allow (API 3.1, section 5): the token as bearer, or as the user name
 * of basic authentication with an empty password. `undefined` when they allow nothing.
 */
export function accessOf(authorization: string | undefined, tokens: Tokens): Access | undefined {
  const given = presentedToken(authorization);
  if (given === undefined) return undefined;
  if (given === tokens.token) return 'write';
  return given === tokens.readOnlyToken ? 'read' : undefined;
}

function presentedToken(authorization = ''): string | undefined {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credentials;
    case 'basic': {
      const decoded = Buffer.from(credentials, 'base64').toString('utf8');
      return decoded.endsWith(':') ? decoded.slice(0, -1) : undefined;
    }
    default:
      return undefined;
  }
}
