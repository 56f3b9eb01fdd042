import type { FaultName } from '../src/faults/faults.ts';
import { rawGet } from './raw-exchange.ts';
import { bearer, startTestSandbox } from './start-test-sandbox.ts';

export const checksPath = '/api/3.1/checks';
export const creditsPath = '/api/3.1/credits';
export const shortHeader = 'Req-Limit-Short: Remaining: 399 Time until reset: 3600';

/** A sandbox with a fault that applies to every request. */
export async function suffering(kind: FaultName) {
  const { sandbox, clock, get } = await startTestSandbox();
  sandbox.faults.inject({ kind });
  const raw = (path = checksPath, headers: Record<string, string> = bearer) =>
    rawGet(sandbox.url, path, headers);
  /** The response that the service would have sent. */
  const properChecks = async () => {
    sandbox.faults.clear();
    return (await get(checksPath)).json().checks;
  };
  return { sandbox, clock, raw, properChecks };
}

export const textOf = ({ body }: { body: Buffer }) => body.toString();
