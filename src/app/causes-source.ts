import type { Spending } from '../budget/budget.ts';
import type { CausesSource } from '../http/ports.ts';
import type { MonotonicClock } from '../lib/clock.ts';
import type { Agenda } from '../schedule/agenda.ts';
import type { AccountState } from '../state/account-state.ts';
import { type ExplainingDataset, explainingDatasets } from '../state/items/outage-causes.ts';

interface CausesParts {
  readonly agenda: Agenda;
  readonly state: Pick<AccountState, 'causes'>;
  readonly clock: MonotonicClock;
  readonly budget: Spending;
}

/** Reads causes of outages when somebody asks for them, from the allowance of events. */
export function causesSource({
  agenda,
  state: { causes },
  clock,
  budget,
}: CausesParts): CausesSource {
  const waitOf = (dataset: ExplainingDataset, id: number) =>
    agenda.figures.dueInSeconds(dataset, id, clock.monotonic());
  const datasetsOf = (id: number) =>
    explainingDatasets.filter((dataset) => waitOf(dataset, id) !== undefined);
  return {
    stateOf: (id, outage) => causes.stateOf(id, outage),
    requests: (id) => datasetsOf(id).length,
    ask: (id, outage) => {
      const now = clock.monotonic();
      const datasets = datasetsOf(id);
      if (!causes.ask(id, outage, datasets, now)) return false;
      for (const dataset of datasets) agenda.expedite({ dataset, id }, now);
      return true;
    },
    waitSeconds: (id) =>
      Math.max(
        agenda.figures.eventInSeconds(clock.monotonic()),
        budget.msUntilAdmission() / 1000,
        Math.min(...datasetsOf(id).map((dataset) => waitOf(dataset, id) ?? 0)),
      ),
  };
}
