import { describe, expect, test } from 'vitest';
import { sandboxOperations } from '../../src/operations/operations.ts';
import type { ApiVersion } from '../../src/vocabulary.ts';
import { startTestSandbox } from '../start-test-sandbox.ts';
import { type DocumentedOperation, documentedOperations } from './documented-operations.ts';

const day = 86_400;

type Send = Awaited<ReturnType<typeof startTestSandbox>>['send'];
type Identify = (send: Send, now: number) => Promise<unknown>;

/** Finds a value for each placeholder of the documented requests, such as an existing check. */
const identifiers: Readonly<Record<string, (version: ApiVersion) => Identify>> = {
  check: listed('/checks', 'checks'),
  failedCheck: () => async (send) => (await oneAnalysis(send)).checkId,
  analysis: () => async (send) => (await oneAnalysis(send)).analysisId,
  window: () => async (send, now) => {
    const windows = await entries(send, '/api/3.1/maintenance', 'maintenance');
    return windows.find(({ from }) => Number(from) > now)?.id;
  },
  occurrence: () => async (send, now) => {
    const all = await entries(send, '/api/3.1/maintenance.occurrences', 'occurrences');
    return all.find(({ from }) => Number(from) > now)?.id;
  },
  team: listed('/alerting/teams', 'teams'),
  contact: listed('/alerting/contacts', 'contacts', ({ owner }) => owner !== true),
  transaction: listed('/tms/check', 'checks'),
  legacyContact: listed('/contacts', 'contacts'),
  user: () => async (send) => {
    const users = await entries(send, '/api/2.1/users', 'users');
    return users.find(({ email }) => (email as unknown[]).length > 0)?.id;
  },
  target: () => async (send) => {
    const users = await entries(send, '/api/2.1/users', 'users');
    const targets = users.flatMap(({ email }) => email as { id: unknown }[]);
    return targets[0]?.id;
  },
  legacyTeam: listed('/teams', 'teams'),
  emailReport: listed('/reports.email', 'subscriptions'),
  publicCheck: () => async (send) => {
    const [report] = await entries(send, '/api/2.1/reports.public', 'public');
    return report?.checkid;
  },
  sharedReport: () => async (send) => {
    const { body } = await send<{ shared: { banners: { id: unknown }[] } }>(
      'GET',
      '/api/2.1/reports.shared',
    );
    return body.shared.banners[0]?.id;
  },
  yesterday: () => async (_send, now) => now - day,
  tomorrow: () => async (_send, now) => now + day,
  dayAfter: () => async (_send, now) => now + 2 * day,
};

type Entry = Readonly<Record<string, unknown>>;

function listed(path: string, key: string, fits: (entry: Entry) => boolean = () => true) {
  return (version: ApiVersion): Identify =>
    async (send) =>
      (await entries(send, `/api/${version}${path}`, key)).find(fits)?.id;
}

async function entries(send: Send, path: string, key: string): Promise<Entry[]> {
  const { body } = await send<Record<string, Entry[]>>('GET', path);
  return body[key] ?? [];
}

async function oneAnalysis(send: Send) {
  for (const { id: checkId } of await entries(send, '/api/3.1/checks', 'checks')) {
    const [analysis] = await entries(send, `/api/3.1/analysis/${checkId}`, 'analysis');
    if (analysis !== undefined) return { checkId, analysisId: analysis.id };
  }
  throw new Error('no check has an analysis');
}

async function filled(text: string, version: ApiVersion, send: Send, now: number): Promise<string> {
  let result = text;
  for (const [placeholder, name = ''] of text.matchAll(/\{(\w+)\}/g)) {
    const value = await identifiers[name]?.(version)(send, now);
    if (value === undefined) throw new Error(`there is no ${name}`);
    result = result.replace(placeholder, `${value}`);
  }
  return result;
}

const cases = documentedOperations.flatMap((operation) =>
  operation.versions.map(
    (version) =>
      [`${operation.method} /api/${version}${operation.path}`, version, operation] as const,
  ),
);

describe('the sandbox responds to every documented operation as documented', () => {
  test.each(cases)('%s', async (_name, version, operation) => {
    const { send, clock } = await startTestSandbox({ checks: 40 });
    const now = Math.floor(clock.now() / 1000);
    const path = await filled(`/api/${version}${operation.path}`, version, send, now);
    const sent = JSON.parse(await filled(JSON.stringify(operation.send ?? {}), version, send, now));

    const { status, body } = await send<object>(
      operation.method,
      ...request(operation, version, path, sent),
    );

    expect({ status, body }).toMatchObject({ status: 200 });
    for (const key of operation.answer.filter((name) => name !== '')) {
      expect(body).toHaveProperty(key);
    }
  });

  test('and it has no operation that the documents do not have', () => {
    const documented = new Set(cases.map(([name]) => name.replaceAll(/\{\w+\}/g, '{}')));
    const served = sandboxOperations.flatMap(({ method, path, versions }) =>
      versions.map(
        (version) => `${method.toUpperCase()} /api/${version}${path.replaceAll(/:\w+/g, '{}')}`,
      ),
    );
    // The documents' example (2.x, section 4.4) and their table have different methods.
    const example = 'POST /api/2.1/users/{}/{}';
    expect(served.filter((name) => !documented.has(name) && name !== example)).toEqual([]);
  });
});

/** Writes send JSON in 3.1 and forms in 2.x; reads send a query. */
function request(
  { method }: DocumentedOperation,
  version: ApiVersion,
  path: string,
  sent: Record<string, unknown>,
): [path: string, options: object] {
  const words = Object.entries(sent).map(([name, value]): [string, string] => [name, `${value}`]);
  if (words.length === 0) return [path, {}];
  if (method === 'GET') return [`${path}?${new URLSearchParams(words)}`, {}];
  return version === '3.1' ? [path, { json: sent }] : [path, { form: Object.fromEntries(words) }];
}
