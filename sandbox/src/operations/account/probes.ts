import { textParameter } from '../../server/parameters.ts';
import type { History } from '../../simulation/history.ts';
import type { MonitoredCheck } from '../../simulation/monitored-check.ts';
import { probes, testingProbes } from '../../simulation/probes.ts';
import { checkById, flag, type Period, pageOf, period, strictPage } from '../readers.ts';
import { only, operation, required } from '../table.ts';

/** API 3.1, sections 2.6 and 4.3; legacy versions, sections 2.5 and 4.5. */
export const listProbes = operation(
  'list_probes',
  'GET /probes',
  'list the probe servers',
  {
    page: strictPage(probes.length),
    onlyactive: flag,
    includedeleted: flag,
    onlytms: only(['2.1'], flag),
  },
  ({ page, onlyactive, includedeleted, onlytms }, { version }) => {
    const listed = probes.filter(
      ({ active, transactions, deleted }) =>
        (active || !onlyactive) && (transactions || !onlytms) && (!deleted || includedeleted),
    );
    return {
      probes: pageOf(listed, page).map(
        ({ deleted: _deleted, transactions: _transactions, ipv6, ...shown }) =>
          ipv6 === undefined || version === '2.0' ? shown : { ...shown, ipv6 },
      ),
    };
  },
);

/** The identifiers of the probes that tested the check in a period, smallest first. */
export function activeProbes(
  history: History,
  check: MonitoredCheck,
  { from, to }: Period,
): number[] {
  const found = new Set<number>();
  for (const { probeId } of history.results(check, from, to + 1)) {
    found.add(probeId);
    if (found.size === testingProbes.length) break;
  }
  return [...found].sort((a, b) => a - b);
}

/** API 3.1, sections 2.9 and 4.4. */
export const readActiveProbes = operation(
  'list_active_probes',
  'GET /summary.probes/:checkid',
  'list the probes that tested a check',
  { checkid: checkById, from: required(textParameter), period: period() },
  ({ checkid: check, period: asked }, { world }) => ({
    probes: activeProbes(world.history, check, asked),
  }),
);
