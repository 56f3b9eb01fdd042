import { makeChecks } from './check-factory.ts';
import { demoRole, plantRole } from './demo-role.ts';
import { History, type PlantedDisturbance } from './history.ts';
import { Observer } from './observer.ts';
import type { SandboxCheck } from './sandbox-check.ts';

export interface WorldOptions {
  readonly seed: number;
  /** How many checks the account has. */
  readonly checks: number;
  /** UNIX seconds; the checks were created months before. */
  readonly startedAt: number;
}

/** The simulated account: its checks and what happens to them, a function of the options and the time. */
export class World {
  readonly checks: readonly SandboxCheck[];
  readonly history: History;
  readonly observer: Observer;
  readonly #byId: ReadonlyMap<number, SandboxCheck>;
  readonly #tagCounts = new Map<string, number>();

  constructor({ seed, checks, startedAt }: WorldOptions) {
    this.checks = makeChecks(seed, checks, startedAt);
    this.history = new History({ seed });
    this.observer = new Observer(this.history);
    this.#byId = new Map(this.checks.map((check) => [check.id, check]));
    for (const [position, check] of this.checks.entries()) {
      plantRole(this.history, demoRole(position), check, startedAt);
      for (const tag of check.tags) {
        this.#tagCounts.set(tag.name, this.tagCount(tag.name) + 1);
      }
    }
  }

  check(id: number): SandboxCheck | undefined {
    return this.#byId.get(id);
  }

  /** How many checks of the account bear the tag. */
  tagCount(name: string): number {
    return this.#tagCounts.get(name) ?? 0;
  }

  /** Imposes an outcome on a check's tests. Throws a `RangeError` for a check there is not, or a span that is empty. */
  plant(disturbance: PlantedDisturbance): void {
    const { checkId, from, to } = disturbance;
    if (!this.#byId.has(checkId)) throw new RangeError(`no check has the identifier ${checkId}`);
    if (to !== undefined && to <= from) {
      throw new RangeError(`a disturbance from ${from} cannot end at ${to}`);
    }
    this.history.plant(disturbance);
  }
}
