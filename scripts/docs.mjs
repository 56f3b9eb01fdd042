import { readFileSync, writeFileSync } from 'node:fs';
import { catalogueMarkdown } from '../build/cli/metrics.js';
import { configurationJsonSchema, configurationMarkdown } from '../build/config/docs.js';
import { csvColumnsMarkdown, pageColumnsMarkdown } from '../build/months/http/column-docs.js';

// Writes the generated parts of the documentation, using the built program.

const parts = [
  { file: 'docs/metrics.md', name: 'metrics', text: catalogueMarkdown() },
  { file: 'docs/configuration.md', name: 'settings', text: configurationMarkdown() },
  { file: 'docs/objectives.md', name: 'columns', text: pageColumnsMarkdown() },
  { file: 'docs/objectives.md', name: 'fields', text: csvColumnsMarkdown() },
];

for (const { file, name, text } of parts) {
  const path = new URL(`../${file}`, import.meta.url);
  const before = readFileSync(path, 'utf8');
  const [start, end] = [
    `<!-- ${name}: written by \`npm run docs\` -->\n`,
    `<!-- end of ${name} -->`,
  ];
  const [from, to] = [before.indexOf(start), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${name}`);
  writeFileSync(path, `${before.slice(0, from + start.length)}\n${text}\n${before.slice(to)}`);
}

writeFileSync(
  new URL('../docs/configuration.schema.json', import.meta.url),
  `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`,
);
