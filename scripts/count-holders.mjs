// Prints the fields of src that are maps or sets keyed by the id of a check or a transaction, and
// their number. The fewer there are, the fewer places must hear that an item has left.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const root = join(import.meta.dirname, '..', 'src');
/** The store knows ids alone; the others know no items. */
const exempt = new Set(['store', 'replicas', 'cli', 'config', 'api', 'domain', 'lib', 'rules']);
/** A field of a class, which its indentation distinguishes from a local variable. */
const field =
  /^ {2}(?:readonly )?#\w+(?:: | = )[^;]*\b(?:Readonly)?(?:Map|Set)<(?:number|ItemId|Id|T)\b/;
/** Fields whose key is a text or an object with the id, and those of a type with another name. */
const others =
  /^ {2}(?:readonly )?#(?:heldByService|seen = \{|details = \{|items: JobItems|occurrences: )/;

const found = [];
for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.ts') || exempt.has(path.split(sep)[0])) continue;
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    if ([field, others].some((one) => one.test(line))) {
      found.push(`${path}:${index + 1}: ${line.trim()}`);
    }
  }
}
console.log(found.sort().join('\n'));
const files = new Set(found.map((line) => line.split(':', 1)[0]));
console.log(`${found.length} maps and sets keyed by an item's id, in ${files.size} files`);
