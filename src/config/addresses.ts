/** The address of the service, or why it is not allowed. */
type ServiceAddress = { readonly url: string } | { readonly problem: string };

/** Ends in `/api`, or continues as the addresses of the API documents do. */
const endsInApi = /\/api(?:\/v?\d[^/]*(?:\/.*)?)?\/*$/i;

/** `url` has no trailing slash. Messages do not repeat the address, which may contain a password. */
export function readServiceAddress(text: string, insecure = false): ServiceAddress {
  if (!URL.canParse(text)) return { problem: 'is not an address such as https://api.example.com' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not contain credentials; use their own settings' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: 'must not contain a query or a fragment' };
  }
  if (endsInApi.test(url.pathname)) {
    return { problem: 'must end before /api, which the exporter adds with the version' };
  }
  const plain = url.protocol === 'http:' && (insecure || isLoopback(url.hostname));
  if (url.protocol !== 'https:' && !plain) {
    return { problem: 'must begin with https:// (http:// only for loopback addresses)' };
  }
  return { url: url.href.replace(/\/+$/, '') };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** `http:` or `https:`; credentials must be decodable. */
export function isProxyAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && isDecodable(username) && isDecodable(password);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
