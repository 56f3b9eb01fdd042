import type { AccountStatus, CausesSource } from '../../../src/http/ports.ts';
import { livelyAccount } from '../../support/lively-account.ts';
import { noon } from '../../support/snapshots.ts';

/** The beginning of an outage without a known cause. */
export const begin = noon - 5_000;
const unexplained = { fromSeconds: begin, toSeconds: begin + 600, causes: [] };
export const open = { fromSeconds: noon - 300, causes: [] };
export const explained = {
  fromSeconds: begin - 9_000,
  toSeconds: begin - 8_000,
  causes: ['Timeout'],
};

/** An account whose check 3 has these outages, and what was asked of it. */
export function account(causes: Partial<CausesSource> = {}) {
  const asked: unknown[] = [];
  const base = livelyAccount(6);
  const past = base.past?.ofCheck(3);
  const status: AccountStatus = {
    ...base,
    past: {
      ofCheck: () => past && { ...past, outages: [open, unexplained, explained] },
      ofTransaction: () => undefined,
    },
    causes: {
      stateOf: () => undefined,
      requests: () => 2,
      ask: (id, outage) => {
        asked.push([id, outage]);
        return true;
      },
      waitSeconds: () => 12.3,
      ...causes,
    },
  };
  return { status, asked };
}
