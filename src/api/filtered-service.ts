import type { CheckTag } from '../domain/check.ts';
import type { Listing, MonitoringService } from './service.ts';

/** The properties of checks and transactions that a filter can use. */
export interface Filterable {
  readonly id: number;
  readonly name: string;
  readonly tags: readonly CheckTag[];
}

/** Returns true for items to keep. */
export type ListFilter = (listed: Filterable) => boolean;

/** The service restricted to the checks and transactions that the filter keeps. */
export function filteredService(service: MonitoringService, filter: ListFilter): MonitoringService {
  return {
    ...service,
    listChecks: async (signal, known) =>
      filterListing(await service.listChecks(signal, known), filter),
    listTransactions: async (signal) =>
      filterListing(await service.listTransactions(signal), filter),
  };
}

function filterListing<T extends Filterable>(listing: Listing<T>, filter: ListFilter): Listing<T> {
  const items = listing.items.filter(filter);
  if (items.length === listing.items.length) return listing;
  const kept = new Set(items);
  const excluded = listing.items.filter((item) => !kept.has(item)).map(({ id }) => id);
  return { ...listing, items, excluded: new Set(excluded) };
}
