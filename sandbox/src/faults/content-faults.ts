import type { JsonResponse, ServerExchange } from '../server/exchange.ts';
import type { FaultKind } from './fault-kind.ts';
import { limitHeaderForms } from './quirks.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Rewrites the entries of a check list; any other body stays as it is. */
function withEntries(change: (entries: readonly Entry[]) => unknown[]) {
  return (exchange: ServerExchange, planned: JsonResponse) => {
    const { checks } = planned.body as { readonly checks?: readonly Entry[] };
    const body = checks === undefined ? planned.body : { ...planned.body, checks: change(checks) };
    return exchange.deliver({ ...planned, body });
  };
}

/** Rewrites the states of outage reports and of transactions (API 3.1, sections 2.9 and 2.11). */
function withStates(change: (states: readonly Entry[]) => unknown[]) {
  const changed = <T extends { readonly states?: readonly Entry[] }>(report: T): T =>
    report.states === undefined ? report : { ...report, states: change(report.states) };
  return (exchange: ServerExchange, planned: JsonResponse) => {
    const { summary, report } = planned.body as {
      readonly summary?: { readonly states?: readonly Entry[] };
      readonly report?: Entry | readonly Entry[];
    };
    const body = {
      ...planned.body,
      ...(summary !== undefined && { summary: changed(summary) }),
      ...(report !== undefined && {
        report: Array.isArray(report) ? report.map(changed) : changed(report as Entry),
      }),
    };
    return exchange.deliver({ ...planned, body });
  };
}

type HeaderChange = (headers: JsonResponse['headers']) => Record<string, string>;

function withHeaders(change: HeaderChange) {
  return (exchange: ServerExchange, planned: JsonResponse) =>
    exchange.deliver({ ...planned, headers: change(planned.headers) });
}

function without(entry: Entry, attribute: string): Entry {
  const { [attribute]: _, ...others } = entry;
  return others;
}

/** Readable but undocumented: one change to each of the first entries, in this order. */
const entryQuirks: readonly ((entry: Entry) => Entry)[] = [
  (entry) => ({ ...entry, id: String(entry.id) }),
  (entry) => ({ ...entry, hostname: null, lasterrortime: null, tags: null, ipv6: null }),
  (entry) => ({ ...entry, alert_policy: 17, region: { name: 'EU' }, extra: ['x'] }),
  (entry) => ({ ...entry, status: 'weird' }),
  (entry) => ({ ...entry, type: 'newtype' }),
  (entry) => ({ ...without(entry, 'severity'), severity_level: 'HIGH' }),
];

/** What is wrong with a malformed state, in turn. */
const stateDefects: readonly ((state: Entry) => unknown)[] = [
  (state) => without(without(state, 'timefrom'), 'from'),
  () => 'not an object',
  (state) => ({ ...state, ...('timeto' in state ? { timeto: 'later' } : { to: 'later' }) }),
  () => null,
];
/** The first of so many states is malformed. A report can consist of one state. */
const statesPerDefect = 3;

/** Well-formed JSON responses with wrong or unusual contents. */
export const contentFaults = {
  'malformed-entries': {
    description:
      'malformed entries before the good ones in a check list: a string, null, no id, a non-numeric id, an array',
    act: withEntries((entries) => {
      const template = entries[0] ?? {};
      const malformed = [
        'not an object',
        null,
        without(template, 'id'),
        { ...template, id: 'x' },
        [],
      ];
      return [...malformed, ...entries];
    }),
  },
  'malformed-states': {
    description:
      'every third state of a report of a check or transaction malformed, from the first on: no start, a string, an end that is not a time, null',
    act: withStates((states) =>
      states.map((state, position) => {
        if (position % statesPerDefect !== 0) return state;
        const defect = stateDefects[(position / statesPerDefect) % stateDefects.length];
        return defect?.(state);
      }),
    ),
  },
  'no-states': {
    description: 'a report of a check or transaction without any state',
    act: withStates(() => []),
  },
  'down-states-only': {
    description: 'a report of a check or transaction with only the states in which it was down',
    act: withStates((states) =>
      states.filter(({ status }) => `${status}`.toLowerCase() === 'down'),
    ),
  },
  'unusual-entries': {
    description:
      'unusual but valid entries in a check list: an id as string, null attributes, unknown attributes, status "weird", type "newtype", severity_level',
    act: withEntries((entries) =>
      entries.map((entry, position) => entryQuirks[position]?.(entry) ?? entry),
    ),
  },
  'duplicate-entry': {
    description: 'a check list whose first entry is repeated at the end',
    act: withEntries((entries) => [...entries, ...entries.slice(0, 1)]),
  },
  'no-limit-headers': {
    description: 'no limit headers',
    act: withHeaders(limitHeaderForms.absent),
  },
  'malformed-limit-headers': {
    description: 'limit headers with values that are not numbers',
    act: withHeaders(limitHeaderForms.malformed),
  },
  'mixed-case-limit-headers': {
    description: 'limit headers with names in mixed case',
    act: withHeaders(limitHeaderForms.oddCase),
  },
  'dotted-limit-headers': {
    description: 'limit headers with a dot before the last word, as old clients saw them',
    act: withHeaders(limitHeaderForms.dotted),
  },
  'absurd-limit-remaining': {
    description: 'limit headers with 1,000,000,000 remaining requests',
    act: withHeaders(limitHeaderForms.absurdRemaining),
  },
  'absurd-limit-reset': {
    description: 'limit headers with a reset in 359 days',
    act: withHeaders(limitHeaderForms.absurdReset),
  },
  'nothing-left-limit-headers': {
    description: 'limit headers with no remaining requests',
    act: withHeaders(limitHeaderForms.nothingLeft),
  },
} as const satisfies Record<string, FaultKind>;
