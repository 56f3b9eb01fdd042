/** The address of the service, or what is wrong with it, as the end of a sentence. */
type ServiceAddress = { readonly url: string } | { readonly problem: string };

/** Its end, or what follows when somebody took a documented address with its version. */
const endsInApi = /\/api(?:\/v?\d[^/]*(?:\/.*)?)?\/*$/i;

/** `url` is without a slash at the end. A message does not repeat the address: it may hold a password. */
export function readServiceAddress(text: string, insecure = false): ServiceAddress {
  if (!URL.canParse(text)) return { problem: 'is not an address such as https://api.example.com' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not hold credentials; they have settings of their own' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: 'must not hold a query or a fragment' };
  }
  if (endsInApi.test(url.pathname)) {
    return { problem: 'must end before /api, which the exporter adds with the version' };
  }
  const plain = url.protocol === 'http:' && (insecure || isLoopback(url.hostname));
  if (url.protocol !== 'https:' && !plain) {
    return { problem: 'must begin with https:// (http:// only for this machine itself)' };
  }
  return { url: url.href.replace(/\/+$/, '') };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** `http:` or `https:`, with legible credentials if there are any. */
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
