import type { AccountSnapshot } from '../../../src/state/snapshot.ts';
import { freshPage, samplesOf } from './rendering.ts';

/**
 * The samples of a family as `suffix label,label value`: the suffix of the family's name, and the
 * values of all labels except `common`.
 */
export async function seriesOf(
  snapshot: AccountSnapshot,
  family: string,
  common: readonly string[] = ['account', 'check_id', 'name'],
): Promise<string[]> {
  const name = `uptime_${family}`;
  const page = await freshPage(snapshot);
  return samplesOf(page, name.replace(/_total$/, '')).map((sample) => {
    const own = Object.entries(sample.labels)
      .filter(([label]) => !common.includes(label))
      .map(([, value]) => value);
    return [sample.name.slice(name.length), own.join(), String(sample.value)]
      .filter((text) => text !== '')
      .join(' ');
  });
}
