import type { WindowName } from '../domain/rate-limit.ts';

/** The part of a window for the account's other users: a share, or a number of requests. */
export type Reserve = { readonly share: number } | { readonly requests: number };

export type Reserves = { readonly [W in WindowName]?: Reserve };

export const defaultReserve = { share: 0.2 } as const satisfies Reserve;

/** The reserve in whole requests. A share is rounded up, in favour of the other users. */
export function reservedRequests(reserve: Reserve, limit: number): number {
  return 'requests' in reserve ? reserve.requests : Math.ceil(limit * reserve.share);
}
