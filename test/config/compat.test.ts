import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { defaultCompatOptions } from '../../src/exposition/compat/compat-options.ts';
import { ready, watch } from './configured-sandbox.ts';
import { read } from './support.ts';

const account = 'accounts: [{ name: shop, base_url: "https://api.example.com", token: t }]';

describe('the options of other exporters', () => {
  test('are those without flags by default', () => {
    expect(read(account).compat).toEqual(defaultCompatOptions);
  });

  test('are read as they are written', () => {
    const compat = `
compat:
  default_uptime_slo: 99.9
  outage_check_period: 30d
  parser_tags: true
  tag_format: '^(\\w+)=(.*)$'
  tag_extra_labels: [region, team]
`;
    expect(read(`${compat}${account}`).compat).toEqual({
      defaultSlo: 99.9,
      outagePeriodSeconds: 30 * 86_400,
      parsedTags: { format: /^(\w+)=(.*)$/, extraLabels: ['region', 'team'] },
    });
    expect(read(`compat: { parser_tags: true }\n${account}`).compat?.parsedTags).toEqual({
      format: /^([a-zA-Z0-9_]+):(.+)$/,
      extraLabels: [],
    });
  });

  test('are those of the scrapes', async () => {
    const global = 'compat: { outage_check_period: 3d, parser_tags: true }';
    const watched = await watch('', { global });
    await ready(watched);
    const { body } = await request(`${watched.url}/metrics?compat=kokuwaio`);
    const text = await body.text();

    expect(text).toContain('pingdom_slo_period_seconds 259200\n');
    expect(text).toMatch(/^pingdom_tags_label\{/m);
    expect(text).not.toMatch(/^pingdom_tags\{/m);
  });
});
