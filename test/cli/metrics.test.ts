import { describe, expect, it } from 'vitest';
import { catalogueMarkdown } from '../../src/cli/metrics.ts';
import { catalogue } from '../../src/exposition/catalogue/catalogue.ts';

describe('catalogueMarkdown', () => {
  it('has one row for each family', () => {
    const rows = catalogueMarkdown().match(/^\| `[a-z_]+` \|/gm);

    expect(rows).toEqual(
      catalogue.flatMap(({ families }) => families.map(({ name }) => `| \`${name}\` |`)),
    );
  });

  it('gives type, unit, labels, dataset and meaning', () => {
    expect(catalogueMarkdown()).toContain(
      '| `uptime_check_resolution_seconds` | gauge | seconds | `account`, `check_id`, `name` | checks | Time between two tests of the check. |\n',
    );
  });

  it('is tables whose rows all have six cells', () => {
    const rows = catalogueMarkdown()
      .split('\n')
      .filter((line) => line.startsWith('|'));

    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(8);
  });
});
