import { readFileSync } from 'node:fs';

// Prints the section of the changelog about a version: node scripts/changelog-section.mjs 1.2.3

const [version = ''] = process.argv.slice(2);
const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
const section = changelog
  .split(/^## /m)
  .slice(1)
  .find((text) => text.split('\n')[0]?.replace(/[[\]]/g, '').split(' ')[0] === version);
if (section === undefined) {
  process.stderr.write(`CHANGELOG.md has no section "## ${version}"\n`);
  process.exit(1);
}
process.stdout.write(`${section.split('\n').slice(1).join('\n').trim()}\n`);
