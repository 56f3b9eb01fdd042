import {
  LabelPolicy,
  LabelPolicyError,
  type Promotion,
} from '../exposition/labels/label-policy.ts';
import { present } from '../lib/present.ts';
import { type Problem, pathText } from './problem.ts';
import { list, mapping } from './raw.ts';

/** The labels that cannot be promoted, each with its own reason. */
export function labelProblems(configuration: unknown): Problem[] {
  const promote = list(mapping(mapping(configuration).labels).promote);
  const accepted: Promotion[] = [];
  return promote.flatMap((raw, index): Problem[] => {
    const { from, as } = mapping(raw);
    if (typeof from !== 'string' || from === '') return [];
    const promotion = present({ from, as: typeof as === 'string' ? as : undefined });
    const reason = refusal([...accepted, promotion]);
    if (reason === undefined) {
      accepted.push(promotion);
      return [];
    }
    const path = ['labels', 'promote', index];
    return [{ path, at: 'value', message: `${pathText(path)}: ${reason}` }];
  });
}

function refusal(promote: readonly Promotion[]): string | undefined {
  try {
    new LabelPolicy({ promote });
    return undefined;
  } catch (error) {
    if (!(error instanceof LabelPolicyError)) throw error;
    return error.message.replace(/^promoted labels: /, '');
  }
}
