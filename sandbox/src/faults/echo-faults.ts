import { type JsonResponse, jsonType, type ServerExchange } from '../server/exchange.ts';
import { errorBody } from '../server/http-error.ts';
import type { FaultKind } from './fault-kind.ts';

/** Attributes with free text. All other attributes contain words that a client interprets. */
const freeTexts: ReadonlySet<string> = new Set([
  'description',
  'email',
  'errormessage',
  'fn',
  'host',
  'hostname',
  'message',
  'messagefull',
  'messageshort',
  'name',
  'statusdesc',
  'statusdesclong',
  'title',
  'url',
  'value',
]);

/** Responses that repeat secrets of the client. */
export const echoFaults = {
  'echo-credentials': {
    description: 'status 500 whose message repeats the Authorization header and the token in it',
    act: (exchange, { headers }) => {
      const authorization = exchange.request.get('authorization') ?? '';
      const token = authorization.replace(/^\S+ +/, '');
      const message = `Failed for Authorization: ${authorization} (token ${token})`;
      return exchange.deliver({ status: 500, headers, body: errorBody(500, message) });
    },
  },
  'echo-credentials-in-texts': {
    description:
      'the normal response with the credentials, in many encodings, in all names and texts',
    act: (exchange, planned) => {
      const credentials = credentialsOf(exchange);
      const body = rewritten(planned.body, (text, attribute) =>
        freeTexts.has(attribute) ? `${text} ${credentials}` : text,
      );
      return exchange.deliver({ ...planned, body: body as object });
    },
  },
  'echo-credentials-everywhere': {
    description:
      'the normal response with the credentials in every text, in the name of an attribute and in the headers',
    act: (exchange, planned) => {
      const credentials = credentialsOf(exchange);
      const body = rewritten(planned.body, (text) => `${text} ${credentials}`) as object;
      return exchange.deliver({
        status: planned.status,
        headers: { ...withCredentials(planned.headers, credentials), 'X-Request-Id': credentials },
        body: { ...body, [credentials]: credentials },
      });
    },
  },
  'echo-credentials-in-redirect': {
    description: 'status 302 to an address with the credentials',
    act: (exchange) => {
      const address = `/moved?${credentialsOf(exchange)}`;
      exchange.send(302, { Location: address }, Buffer.from(address));
    },
  },
  'echo-credentials-in-page': {
    description: 'status 502 with an HTML page that shows the credentials',
    act: (exchange) => {
      const page = `<!DOCTYPE html><title>Bad gateway</title><pre>${credentialsOf(exchange)}</pre>`;
      return exchange.deliverBytes(502, { 'Content-Type': 'text/html' }, Buffer.from(page));
    },
  },
  'echo-credentials-in-bad-json': {
    description: 'status 200 with the credentials where JSON belongs',
    act: (exchange, { headers }) =>
      exchange.deliverBytes(
        200,
        { 'Content-Type': jsonType, ...headers },
        Buffer.from(credentialsOf(exchange)),
      ),
  },
} as const satisfies Record<string, FaultKind>;

/**
 * All credentials of the request: as sent, decoded, and in encodings in which a service may repeat
 * them.
 */
function credentialsOf({ request }: ServerExchange): string {
  const authorization = request.get('authorization') ?? '';
  const [, scheme = '', value = ''] = /^(\S+) +(.*)$/.exec(authorization) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : value;
  const password = pair.slice(pair.indexOf(':') + 1);
  const secrets = new Set([pair, password, request.get('app-key') ?? '']);
  const forms = [...secrets].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(`${secret}:`).toString('base64'),
    encodeURIComponent(secret),
    JSON.stringify(secret),
  ]);
  return [authorization, ...forms].join(' ');
}

function withCredentials(
  headers: JsonResponse['headers'],
  credentials: string,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, `${value} ${credentials}`]);
  return Object.fromEntries(entries);
}

/**
 * The JSON value with changed texts. The texts of an array belong to the attribute of the array.
 */
function rewritten(
  value: unknown,
  change: (text: string, attribute: string) => string,
  attribute = '',
): unknown {
  if (typeof value === 'string') return change(value, attribute);
  if (Array.isArray(value)) return value.map((item) => rewritten(item, change, attribute));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, rewritten(item, change, name)]),
  );
}
