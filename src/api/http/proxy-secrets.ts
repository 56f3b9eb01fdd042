import { Secret } from '../../lib/secret.ts';
import type { ConnectionOptions } from './connection.ts';

/** The secrets in a proxy's URL, encoded and decoded. A user without password is an access key. */
export function proxySecrets({ proxy }: ConnectionOptions): Secret[] {
  if (proxy === undefined) return [];
  const { username, password } = new URL(proxy.url);
  const [user, key] = [decodeURIComponent(username), decodeURIComponent(password)];
  // In base64 the pair differs from its parts, so it is a separate secret.
  const texts = password === '' ? [username, user] : [password, key, `${user}:${key}`];
  return [...new Set(texts)].filter((text) => text !== '').map((text) => new Secret(text));
}
