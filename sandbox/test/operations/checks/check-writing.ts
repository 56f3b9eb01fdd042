import type { StartOptions } from '../../../src/running-sandbox.ts';
import { startTestSandbox } from '../../start-test-sandbox.ts';

export interface WireDetail {
  readonly id: number;
  readonly status: string;
  readonly [attribute: string]: unknown;
}

export const checksPath = '/api/3.1/checks';

/** A sandbox with short functions for tests that write checks. */
export async function writingSandbox(options: Partial<StartOptions> = {}) {
  const started = await startTestSandbox(options);
  const { send } = started;
  /** The identifier of a new check. */
  const create = async (settings: object): Promise<number> => {
    const json = { name: 'New', host: 'new.example.com', type: 'http', ...settings };
    const { status, body } = await send<{ check: { id: number } }>('POST', checksPath, { json });
    if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
    return body.check.id;
  };
  const modify = (id: number, json: object) => send('PUT', `${checksPath}/${id}`, { json });
  const detail = async (id: number, version = '3.1', query = ''): Promise<WireDetail> => {
    const path = `/api/${version}/checks/${id}${query}`;
    const { status, body } = await send<{ check: WireDetail }>('GET', path);
    if (status !== 200) throw new Error(`not found: ${JSON.stringify(body)}`);
    return body.check;
  };
  const list = async (query = '') =>
    (await send<{ checks: WireDetail[]; counts: object }>('GET', `${checksPath}${query}`)).body;
  const seeded = (type: string) => {
    const check = started.sandbox.world.checks.find((each) => each.type === type);
    if (check === undefined) throw new Error(`no check of type ${type}`);
    return check.id;
  };
  return { ...started, create, modify, detail, list, seeded };
}
