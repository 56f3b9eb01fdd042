import { datasetPurposes } from '../../domain/dataset-purposes.ts';
import type { PlanView } from '../ports.ts';
import { formatDecimal } from './format.tsx';

/** The shortage of the request budget in words. */
export interface BudgetVerdict {
  /** `late`: outages are seen late, which everyone should know. `slow`: a note for operators. */
  readonly level: 'late' | 'slow';
  readonly title: string;
  /** In complete sentences. */
  readonly sentences: readonly string[];
}

/** Undefined if the limits sustain the plan, apart from first sight and bursts of others. */
export function budgetVerdict(plan: PlanView | undefined): BudgetVerdict | undefined {
  const shortfall = plan?.shortfall;
  if (shortfall === undefined) return undefined;
  const { datasets, missingPerHour, switchOff, isStatusLate } = shortfall;
  const missing = `About ${formatDecimal(Math.ceil(missingPerHour))} more requests an hour would keep ${datasets.join(', ')} fresh.`;
  if (isStatusLate) {
    const late = datasets.filter((name) => name === 'checks' || name === 'transactions');
    const items = late.join(' and ');
    return {
      level: 'late',
      title: `The request budget is too small: outages of ${items} are seen late.`,
      sentences: [
        missing,
        `What to do: ask for a higher request limit, lower the reserve, or monitor fewer ${items}.`,
      ],
    };
  }
  return {
    level: 'slow',
    title: 'States and outages are on time; slower data are older than they could be.',
    sentences: [missing, switchOffText(switchOff)].filter((sentence) => sentence !== ''),
  };
}

function switchOffText(switchOff: readonly (keyof typeof datasetPurposes)[]): string {
  if (switchOff.length === 0) return '';
  const losses = switchOff.map((name) => `${name} (you would lose ${datasetPurposes[name].loss})`);
  return `If they matter to you: ask for a higher request limit, or switch off ${losses.join(', ')}.`;
}
