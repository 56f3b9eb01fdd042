import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/exposition/catalogue/catalogue.ts';
import { defaultParameters } from '../../../src/rules/parameters.ts';
import { isAlert, renderRules } from '../../../src/rules/render-rules.ts';
import { ruleSetNames } from '../../../src/rules/rule-sets.ts';
import { boards } from '../../support/boards.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const names = new Set(catalogue.flatMap(({ families }) => families.map(({ name }) => name)));

/** A family that an expression reads, and its windows, if it selects some. */
export interface Read {
  readonly family: string;
  readonly windows: readonly string[] | undefined;
  /** The alert, panel or document. */
  readonly by: string;
}

function readsIn(text: string, by: string): Read[] {
  return [...text.matchAll(/\b(uptime_\w+)(?:\{([^}]*)\})?/g)].flatMap(
    ([, word = '', matchers]) => {
      const family = [word, word.replace(/_(?:bucket|sum|count)$/, '')].find((one) =>
        names.has(one),
      );
      if (family === undefined) return [];
      const [, windows] = /\bwindow=~?\\*"([^"\\]*)/.exec(matchers ?? '') ?? [];
      return [{ family, windows: windows?.split('|'), by }];
    },
  );
}

/** What alerts and recorded series of all sets read, in their texts, too. */
export const readByRules: readonly Read[] = renderRules({
  ...defaultParameters,
  with: ruleSetNames,
}).flatMap(({ rules }) =>
  rules.flatMap((rule) => readsIn(JSON.stringify(rule), isAlert(rule) ? rule.alert : rule.record)),
);

/** What panels and variables of boards read. */
export const readByBoards: readonly Read[] = boards.flatMap(({ path, board, panels }) => [
  ...readsIn(JSON.stringify(board.templating), path),
  ...panels.flatMap((panel) =>
    panel.targets.flatMap(({ expr }) => readsIn(expr, `${path}: ${panel.title}`)),
  ),
]);

/** The code in documents, without the catalogue, and the examples for tools that compute objectives. */
export const readByDocuments: readonly Read[] = [
  ...documents('docs', '.md'),
  ...documents('docs/replicas', '.md'),
  ...documents('examples/slo', ''),
  'README.md',
].flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8').replace(/<!-- metrics: .*/s, '');
  const isMarkdown = path.endsWith('.md');
  return isMarkdown ? codeIn(text).flatMap((code) => readsIn(code, path)) : readsIn(text, path);
});

function documents(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}

/** Spans and blocks of code. */
function codeIn(markdown: string): string[] {
  return markdown.match(/```.*?```|`[^`\n]+`|^ {4}.*$/gms) ?? [];
}
