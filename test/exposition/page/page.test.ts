import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';
import { anyChecks, storable } from '../support/arbitraries.ts';
import { freshPage, gzipOf, parsePage, plainText, samplesOf } from '../support/rendering.ts';
import { aCheck, aSnapshot, fullCheck } from '../support/snapshots.ts';

describe('Page', () => {
  it('gives back the checks that went in, whatever their texts', async () => {
    await fc.assert(
      fc.asyncProperty(anyChecks, async (checks) => {
        const page = await freshPage(aSnapshot({ checks }));

        expect(samplesOf(page, 'uptime_check_info').map(({ labels }) => labels)).toEqual(
          checks.map((check) => ({
            account: 'main',
            check_id: String(check.id),
            name: storable(check.name),
            check_type: check.type,
            hostname: storable(check.hostname ?? ''),
            severity: storable(check.severity ?? ''),
            ipv6: check.ipv6 === undefined ? '' : String(check.ipv6),
          })),
        );
        const tested = checks.filter((check) => check.lastResponseTimeSeconds !== undefined);
        expect(
          samplesOf(page, 'uptime_check_last_response_time_seconds').map(({ value }) => value),
        ).toEqual(tested.map((check) => check.lastResponseTimeSeconds ?? Number.NaN));
        const tags = checks.flatMap(({ id, tags }) => [
          ...new Set(tags.map(({ name, source }) => JSON.stringify([id, storable(name), source]))),
        ]);
        expect(
          samplesOf(page, 'uptime_check_tag_info').map(({ labels }) =>
            JSON.stringify([Number(labels.check_id), labels.tag, labels.tag_source]),
          ),
        ).toEqual(tags);
      }),
      { numRuns: extent(30, 100) },
    );
  });

  it('hands the same bytes to every scrape of the same part', async () => {
    const page = await freshPage(aSnapshot({ checks: [fullCheck(1)] }));
    const whole = page.prepared('text');
    const part = page.prepared('text', { accounts: new Set(['main']) });

    expect(page.prepared('text')).toBe(whole);
    expect(page.prepared('text', { accounts: new Set(['main']) })).toBe(part);
    expect(page.prepared('openmetrics')).not.toBe(whole);
    expect(gunzipSync(gzipOf(page, 'text')).toString()).toBe(plainText(page, 'text'));
    expect(whole.length).toBe(plainText(page, 'text').length);
  });

  it('counts its series and bytes', async () => {
    const page = await freshPage(aSnapshot({ checks: [fullCheck(1), aCheck({ id: 2 })] }));

    const text = plainText(page, 'text');

    expect(page.series).toBe(text.split('\n').filter((line) => /^[^#]/.test(line)).length);
    expect(page.bytes.identity).toBe(Buffer.byteLength(text));
    expect(page.bytes.gzip).toBe(sizeOf(page.prepared('text').gzip));
  });

  it('shows nothing that is not known', async () => {
    const page = await freshPage(aSnapshot({ up: false, checks: [aCheck({ status: 'unknown' })] }));

    expect(parsePage(page).map(({ name }) => name)).toEqual([
      'uptime_up',
      'uptime_account_info',
      'uptime_checks',
      'uptime_check_info',
      'uptime_check_status',
      'uptime_check_paused',
    ]);
  });

  it('shows no series of data that are not known', async () => {
    const page = await freshPage(aSnapshot({ up: false }));

    expect(plainText(page, 'text')).toBe(
      [
        '# HELP uptime_up 1 when the last refresh of the check list worked and is not stale.',
        '# TYPE uptime_up gauge',
        'uptime_up{account="main"} 0',
        "# HELP uptime_account_info API version and base URL of the account, the random id of the exporter's store, and the lowest id of its checks; always 1.",
        '# TYPE uptime_account_info gauge',
        'uptime_account_info{account="main",api_version="3.1",base_url="https://api.example.com",store="",first_check=""} 1',
        '',
      ].join('\n'),
    );
  });

  it('counts checks by each type that occurs and every status', async () => {
    const page = await freshPage(
      aSnapshot({
        checks: [
          aCheck({ id: 1, type: 'http' }),
          aCheck({ id: 2, type: 'http', status: 'down' }),
          aCheck({ id: 3, type: 'dns', status: 'paused' }),
        ],
      }),
    );

    const counts = samplesOf(page, 'uptime_checks').map(
      ({ labels, value }) => `${labels.check_type} ${labels.status} ${value}`,
    );

    expect(counts).toEqual([
      'dns up 0',
      'dns down 0',
      'dns unconfirmed_down 0',
      'dns unknown 0',
      'dns paused 1',
      'http up 1',
      'http down 1',
      'http unconfirmed_down 0',
      'http unknown 0',
      'http paused 0',
    ]);
  });
});

function sizeOf(chunks: readonly { readonly bytes: Uint8Array }[]): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
