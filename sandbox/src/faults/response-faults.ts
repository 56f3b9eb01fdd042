import { type JsonResponse, jsonType, type ServerExchange } from '../server/exchange.ts';
import { errorBody, limitExceededMessage } from '../server/http-error.ts';
import type { FaultKind } from './fault-kind.ts';

const page =
  '<!DOCTYPE html><html><head><title>Error</title></head><body>Bad gateway</body></html>';

function refuse(status: number, message: string) {
  return (exchange: ServerExchange, planned: JsonResponse) =>
    exchange.deliver({ status, headers: planned.headers, body: errorBody(status, message) });
}

/** Edge proxies do not know the account, so their responses have no limit headers. */
function fromEdge(status: number, type: string, text: string) {
  return (exchange: ServerExchange) =>
    exchange.deliverBytes(status, { 'Content-Type': type }, Buffer.from(text));
}

const edgeWaitSeconds = 600;

/** The time by the clock of the responses, as their `Date` shows it. */
function dateAfter({ response }: ServerExchange, seconds: number): string {
  return new Date(Date.parse(String(response.get('Date'))) + seconds * 1000).toUTCString();
}

function dated(years: number) {
  return (exchange: ServerExchange, planned: JsonResponse) => {
    const headers = { ...planned.headers, Date: dateAfter(exchange, years * 365 * 86_400) };
    return exchange.deliver({ ...planned, headers });
  };
}

function literally(text: string) {
  return (exchange: ServerExchange, { status, headers }: JsonResponse) =>
    exchange.deliverBytes(status, { 'Content-Type': jsonType, ...headers }, Buffer.from(text));
}

/** Responses that the service should not have sent. */
export const responseFaults = {
  'status-500': {
    description: 'status 500 with the documented error body',
    act: refuse(500, 'Something went wrong, try again later'),
  },
  'status-502': {
    description: 'status 502 with the documented error body',
    act: refuse(502, 'Bad gateway'),
  },
  'status-503': {
    description: 'status 503 with the documented error body',
    act: refuse(503, 'Service temporarily unavailable'),
  },
  unauthorized: {
    description: 'status 401, as if the token had been revoked',
    act: refuse(401, 'The token is not valid'),
  },
  forbidden: {
    description: 'status 403, as if the plan of the account did not include it',
    act: refuse(403, 'Not permitted for this account type'),
  },
  'not-found': {
    description: 'status 404, as if the object had just been deleted',
    act: refuse(404, 'There is nothing with this identifier'),
  },
  gone: {
    description: 'status 410, as if the version of the API had ended',
    act: refuse(410, 'This version of the API is no longer available'),
  },
  'limit-exceeded': {
    description: 'status 429 with limit headers, at no cost to the budget',
    sparesBudget: true,
    act: refuse(429, limitExceededMessage),
  },
  'limit-exceeded-without-headers': {
    description: 'status 429 without limit headers, at no cost to the budget',
    sparesBudget: true,
    act: (exchange) =>
      exchange.deliver({ status: 429, headers: {}, body: errorBody(429, limitExceededMessage) }),
  },
  'limit-exceeded-at-edge': {
    description:
      'status 429 of an edge proxy with "error code: 1015" and Retry-After: 600, at no cost to the budget',
    sparesBudget: true,
    act: (exchange) =>
      exchange.deliverBytes(
        429,
        { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': String(edgeWaitSeconds) },
        Buffer.from('error code: 1015'),
      ),
  },
  'unavailable-until': {
    description:
      'status 503 with the documented error body and a Retry-After date, 10 minutes later',
    act: (exchange, planned) =>
      exchange.deliver({
        status: 503,
        headers: { ...planned.headers, 'Retry-After': dateAfter(exchange, edgeWaitSeconds) },
        body: errorBody(503, 'Service temporarily unavailable'),
      }),
  },
  redirect: {
    description: 'status 302 to another path of the same host',
    act: (exchange) =>
      exchange.send(302, { Location: `/moved${exchange.request.originalUrl}` }, Buffer.alloc(0)),
  },
  html: {
    description: 'status 200 with an HTML page',
    act: fromEdge(200, 'text/html; charset=utf-8', page),
  },
  'html-502': {
    description: 'status 502 with an HTML page of an edge proxy',
    act: fromEdge(502, 'text/html; charset=utf-8', page),
  },
  'plain-text-401': {
    description: 'status 401 with the plain text "error code: 1020" of an edge proxy',
    act: fromEdge(401, 'text/plain; charset=utf-8', 'error code: 1020'),
  },
  'plain-text-403': {
    description: 'status 403 with the plain text "error code: 1020" of an edge proxy',
    act: fromEdge(403, 'text/plain; charset=utf-8', 'error code: 1020'),
  },
  'empty-body': {
    description: 'the normal status and headers with an empty body',
    act: (exchange, { status, headers }) =>
      exchange.send(status, { 'Content-Type': jsonType, ...headers }, Buffer.alloc(0)),
  },
  'truncated-json': {
    description: 'the first half of the JSON body, framed as if complete',
    act: (exchange, planned) => {
      const text = JSON.stringify(planned.body);
      return literally(text.slice(0, Math.floor(text.length / 2)))(exchange, planned);
    },
  },
  'json-array': {
    description: 'a JSON array where an object belongs',
    act: literally('[]'),
  },
  'json-string': {
    description: 'a JSON string where an object belongs',
    act: literally('"all is well"'),
  },
  'json-empty-object': {
    description: 'a JSON object without any attribute',
    act: literally('{}'),
  },
  'dated-years-later': {
    description: 'the normal response with the date of three years later',
    act: dated(3),
  },
  'dated-years-earlier': {
    description: 'the normal response with the date of three years earlier',
    act: dated(-3),
  },
  'text-content-type': {
    description: 'the normal JSON body, declared as text/plain',
    act: (exchange, planned) =>
      exchange.deliver({
        ...planned,
        headers: { ...planned.headers, 'Content-Type': 'text/plain' },
      }),
  },
} as const satisfies Record<string, FaultKind>;
