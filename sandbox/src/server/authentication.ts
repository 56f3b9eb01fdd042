import type { ApiVersion } from '../vocabulary.ts';

type Access = 'read' | 'write';

/**
 * The credentials of the account: tokens in version 3.1, user and password of its owner in the
 * legacy versions.
 */
export interface AcceptedCredentials {
  readonly token: string;
  /** A second token, which can only read. */
  readonly readOnlyToken?: string | undefined;
  readonly email: string;
  readonly password: string;
  readonly appKey: string;
  /** The account that `Account-Email` may select, in addition to the user's own. */
  readonly accountEmail?: string | undefined;
}

/** The value of a request header, by its name in lower case. */
type HeaderReader = (name: string) => string | undefined;

/** The access that the credentials of a request give in a version; `undefined` for none. */
export function accessOf(
  header: HeaderReader,
  version: ApiVersion,
  credentials: AcceptedCredentials,
): Access | undefined {
  return version === '3.1'
    ? tokenAccess(header('authorization'), credentials)
    : ownerAccess(header, credentials);
}

/**
 * The token as bearer, or as the user name of basic authentication with an empty password (API 3.1,
 * section 5).
 */
function tokenAccess(authorization: string | undefined, credentials: AcceptedCredentials) {
  const given = presentedToken(authorization);
  if (given === undefined) return undefined;
  if (given === credentials.token) return 'write';
  return given === credentials.readOnlyToken ? 'read' : undefined;
}

/** E-mail address, password and application key (legacy versions, section 5). */
function ownerAccess(header: HeaderReader, credentials: AcceptedCredentials): Access | undefined {
  const { email, password, appKey, accountEmail } = credentials;
  const { scheme, value } = authorizationParts(header('authorization'));
  const account = header('account-email') ?? email;
  const known =
    scheme === 'basic' &&
    decoded(value) === `${email}:${password}` &&
    header('app-key') === appKey &&
    (account === email || account === accountEmail);
  return known ? 'write' : undefined;
}

function presentedToken(authorization: string | undefined): string | undefined {
  const { scheme, value } = authorizationParts(authorization);
  if (scheme === 'bearer') return value;
  if (scheme !== 'basic') return undefined;
  const pair = decoded(value);
  return pair.endsWith(':') ? pair.slice(0, -1) : undefined;
}

function authorizationParts(authorization = '') {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  return { scheme: scheme.toLowerCase(), value };
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
