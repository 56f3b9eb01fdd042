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
      '| `uptime_check_resolution_seconds` | gauge | seconds | `account`, `check_id`, `name` | checks | yes | Time between two tests of the check. |\n',
    );
  });

  it.each([
    ['uptime_check_status', 'those that are 1'],
    ['uptime_check_error_ratio', '`30d`'],
    ['uptime_teams', 'no'],
    ['uptime_check_results_total', 'if results are hourly'],
    ['uptime_exporter_poller_errors_total', 'from the first event on'],
  ])('shows what lean serves of %s', (name, part) => {
    const row = catalogueMarkdown()
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\``));

    expect(row?.split(' | ')[5]).toBe(part);
  });

  it('is tables whose rows all have seven cells', () => {
    const rows = catalogueMarkdown()
      .split('\n')
      .filter((line) => line.startsWith('|'));

    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(9);
  });
});
