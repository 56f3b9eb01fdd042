import { type Attributes, everyObject } from '../lib/every-object.ts';
import { present } from '../lib/present.ts';
import type { JsonResponse } from '../server/exchange.ts';

type Headers = Readonly<Record<string, string>>;
type NameAndValue = readonly [name: string, value?: string];

function limitsAs(...limits: readonly [short: NameAndValue, long: NameAndValue] | []) {
  return ({
    'Req-Limit-Short': shortValue = '',
    'Req-Limit-Long': longValue = '',
    ...others
  }: Headers): Record<string, string> => {
    const [short, long] = limits;
    if (short === undefined || long === undefined) return others;
    return {
      ...others,
      [short[0]]: short[1] ?? shortValue,
      [long[0]]: long[1] ?? longValue,
    };
  };
}

/** The limits with other numbers in both windows. */
function limitsWith(other: { readonly remaining?: number; readonly resetSeconds?: number }) {
  return (headers: Headers): Record<string, string> => {
    const entries = Object.entries(headers).map(([name, value]) => {
      const [, remaining, resetSeconds] =
        /^Remaining: (\d+) Time until reset: (\d+)$/.exec(value) ?? [];
      if (remaining === undefined) return [name, value];
      const told = { remaining, resetSeconds, ...other };
      return [name, `Remaining: ${told.remaining} Time until reset: ${told.resetSeconds}`];
    });
    return Object.fromEntries(entries);
  };
}

/** Forms of limit headers that some services or proxies send. */
export const limitHeaderForms = {
  absent: limitsAs(),
  malformed: limitsAs(
    ['Req-Limit-Short', 'Remaining: many Time until reset: soon'],
    ['Req-Limit-Long', 'unlimited'],
  ),
  oddCase: limitsAs(['rEQ-lIMIT-sHORT'], ['REQ-LIMIT-LONG']),
  absurdRemaining: limitsWith({ remaining: 1_000_000_000 }),
  absurdReset: limitsWith({ resetSeconds: 359 * 86_400 }),
  nothingLeft: limitsWith({ remaining: 0 }),
  dotted: limitsAs(['req-limit.short'], ['req-limit.long']),
};

interface QuirkKind {
  /** One phrase for the operator. */
  readonly description: string;
  /** Changes one JSON object of a response, depending on the object alone. */
  readonly object?: (object: Attributes) => Attributes;
  readonly headers?: (headers: JsonResponse['headers']) => Record<string, string>;
}

/** Undocumented responses that a client has to read. */
export const quirkKinds = {
  'extra-fields': {
    description: 'objects with an identifier have undocumented attributes',
    object: (object) =>
      'id' in object ? { ...object, alert_policy: 17, extra: { note: [null] } } : object,
  },
  severity_level: {
    description: 'the severity is in severity_level, in capitals',
    object: ({ severity, ...others }) =>
      typeof severity === 'string'
        ? { ...others, severity_level: severity.toUpperCase() }
        : { ...others, ...present({ severity }) },
  },
  'absurd-values': {
    description: 'names and tags have no end, and some times are in a distant future',
    object: absurd,
  },
  'no-limit-headers': {
    description: 'no response has limit headers',
    headers: limitHeaderForms.absent,
  },
  'mixed-case-limit-headers': {
    description: 'the names of limit headers are in mixed case',
    headers: limitHeaderForms.oddCase,
  },
} as const satisfies Record<string, QuirkKind>;

const distantFuture = 999_999_999_999_999;
/** Times that a client does not need to know the state of a check. */
const dispensableTimes = ['created', 'created_at', 'modified_at', 'effectiveto'];

function absurd(object: Attributes): Attributes {
  const { id, name, tags } = object;
  if (id === undefined) return object;
  const times = dispensableTimes.filter((time) => time in object);
  return {
    ...object,
    ...(typeof name === 'string' && { name: `${name} ${'🦜 '.repeat(5_000)}` }),
    ...(Array.isArray(tags) && { tags: [...tags, ...absurdTags] }),
    ...Object.fromEntries(times.map((time) => [time, distantFuture])),
  };
}

const absurdTags = Array.from({ length: 500 }, (_, place) => ({
  name: `${place} ${'x'.repeat(2_000)}`,
  type: 'u',
}));

export type QuirkName = keyof typeof quirkKinds;

/** The response of a service with these quirks. */
export function withQuirks(planned: JsonResponse, quirks: readonly QuirkName[]): JsonResponse {
  return quirks.reduce<JsonResponse>((odd, name) => {
    const { object, headers }: QuirkKind = quirkKinds[name];
    return {
      status: odd.status,
      headers: headers?.(odd.headers) ?? odd.headers,
      body: object === undefined ? odd.body : (everyObject(odd.body, object) as object),
    };
  }, planned);
}
