import type { MaintenanceWindow } from '../../domain/maintenance.ts';
import { readList } from '../read-list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { windowList } from '../wire/maintenance.ts';

const operation = 'list_maintenance';

/** Neither a default nor a maximum is documented (API 3.1, section 4.2). */
const limit = 1000;

/** All maintenance windows, complete or not at all; in a fixed order, so that pages fit together. */
export async function listMaintenance(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<MaintenanceWindow>> {
  const query = { orderby: 'from', order: 'asc' };
  const path = 'maintenance';
  return readList({ reader, operation, path, query, signal, limit, form: windowList });
}
