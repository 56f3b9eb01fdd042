import { z } from 'zod';
import { Numbered } from '../account/numbered.ts';
import { oneOf, text, valid, whole } from '../lib/options.ts';
import { sandboxOperationNames } from '../operations/operations.ts';
import { contentFaults } from './content-faults.ts';
import { echoFaults } from './echo-faults.ts';
import type { FaultKind } from './fault-kind.ts';
import { responseFaults } from './response-faults.ts';
import { transportFaults } from './transport-faults.ts';

/** Every fault, in the order of the reference. */
export const faultKinds = {
  ...responseFaults,
  ...echoFaults,
  ...transportFaults,
  ...contentFaults,
};
export type FaultName = keyof typeof faultKinds;

/** A fault for all requests, or for a part of them. */
export const faultOrder = z.strictObject({
  kind: oneOf(Object.keys(faultKinds) as FaultName[]),
  /** Only requests for this operation, such as `list_checks` or `get_credits`. */
  operation: oneOf(sandboxOperationNames).optional(),
  /** Only requests whose path starts with this. */
  path: text.optional(),
  /** The number of affected requests; by default all until it is cleared. */
  times: whole(1).optional(),
});

export type FaultOrder = z.input<typeof faultOrder>;

interface ActiveFault extends FaultOrder {
  readonly id: number;
}

/** The active faults. If several match a request, the oldest is used. */
export class Faults {
  readonly #active = new Numbered<ActiveFault>({ firstId: 1 });

  /**
   * Returns the identifier for `clear`. Throws a `RangeError` for an unknown kind or operation, or
   * `times` below 1.
   */
  inject(order: FaultOrder): number {
    const fault = valid(faultOrder, order);
    return this.#active.add((id) => ({ ...fault, id })).id;
  }

  /** Clears one fault, or all. Returns false if there is no such fault. */
  clear(id?: number): boolean {
    if (id !== undefined) return this.#active.remove(id);
    for (const fault of this.active) this.#active.remove(fault.id);
    return true;
  }

  /** The active faults, with the remaining `times`. */
  get active(): readonly ActiveFault[] {
    return this.#active.all;
  }

  /** The fault for a request, if any; the request counts towards its `times`. */
  take(request: { readonly operation: string | undefined; readonly path: string }) {
    const fault = this.active.find(
      ({ operation, path = '' }) =>
        (operation === undefined || operation === request.operation) &&
        request.path.startsWith(path),
    );
    if (fault === undefined) return undefined;
    this.#countDown(fault);
    return faultKinds[fault.kind] as FaultKind;
  }

  #countDown(fault: ActiveFault): void {
    if (fault.times === undefined) return;
    const times = fault.times - 1;
    if (times === 0) this.clear(fault.id);
    else this.#active.put({ ...fault, times });
  }
}
