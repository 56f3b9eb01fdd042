import { type Inputs, listParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxTag } from '../sandbox-check.ts';

/** API 3.1, section 2.1. */
const longestTag = 64;

/** `tags` take the place of all that users set, `addtags` are added; the service's own tags stay. */
export function changedTags(before: readonly SandboxTag[], inputs: Inputs): readonly SandboxTag[] {
  const kept = 'tags' in inputs ? before.filter(({ type }) => type === 'a') : before;
  const names = new Set(kept.map(({ name }) => name));
  const added: SandboxTag[] = [];
  for (const name of [...tagNames(inputs, 'tags'), ...tagNames(inputs, 'addtags')]) {
    if (!names.has(name)) added.push({ name, type: 'u' });
    names.add(name);
  }
  return [...kept, ...added];
}

function tagNames(inputs: Inputs, parameter: string): string[] {
  const names = listParameter(inputs, parameter);
  for (const name of names) {
    if ([...name].length <= longestTag) continue;
    throw new Refusal(400, `A tag has at most ${longestTag} characters, not "${name}"`);
  }
  return names;
}
