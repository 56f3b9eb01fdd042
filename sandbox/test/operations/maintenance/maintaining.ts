import type { Wire } from '../../../src/wire.ts';
import { startTestSandbox } from '../../start-test-sandbox.ts';

export const windowsPath = '/api/3.1/maintenance';
export const occurrencesPath = '/api/3.1/maintenance.occurrences';

export interface WireWindow {
  readonly id: number;
  readonly description: string;
  readonly from: number;
  readonly to: number;
  readonly effectiveto: number;
  readonly recurrencetype: string;
  readonly repeatevery: number;
  readonly checks: { readonly uptime: readonly number[]; readonly tms: readonly number[] };
}

interface WireOccurrence {
  readonly id: number;
  readonly maintenanceid: number;
  readonly from: number;
  readonly to: number;
}

/** A sandbox with short functions for tests of maintenance. */
export async function maintainedSandbox(wire: Partial<Wire> = {}) {
  const started = await startTestSandbox({ wire });
  const { send, clock } = started;
  const now = clock.now() / 1000;
  const windows = async (query = '') =>
    (await send<{ maintenance: WireWindow[] }>('GET', windowsPath + query)).body.maintenance;
  const window = async (id: number) =>
    (await send<{ maintenance: WireWindow }>('GET', `${windowsPath}/${id}`)).body.maintenance;
  const occurrences = async (query = '') =>
    (await send<{ occurrences: WireOccurrence[] }>('GET', occurrencesPath + query)).body
      .occurrences;
  const create = async (fields: object) => {
    const json = { description: 'Test', from: now + 3600, to: now + 7200, ...fields };
    const { status, body } = await send<{ maintenance: { id: number } }>('POST', windowsPath, {
      json,
    });
    if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
    return body.maintenance.id;
  };
  const modify = (id: number, json: object) => send('PUT', `${windowsPath}/${id}`, { json });
  return { ...started, now, windows, window, occurrences, create, modify };
}
