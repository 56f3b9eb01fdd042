import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { backfillNote } from '../../../src/backfill/http/note.tsx';
import type { BackfillView } from '../../../src/backfill/job/control.ts';

const noon = Date.UTC(2026, 6, 1, 12) / 1000;

function wordsOf(job: BackfillView): string {
  const note = backfillNote(job, noon);
  return note === null ? '' : renderToString(note).replace(/<[^>]*>/g, '');
}

describe('the note of a backfill job', () => {
  const job = {
    fromSeconds: Date.UTC(2025, 10, 1) / 1000,
    requestedAtSeconds: noon - 3_600,
    items: 220,
    read: 40,
    incomplete: [],
    refused: 1,
    gone: 0,
    waiting: 2,
    open: 177,
    requestsLeft: 179,
  };

  test('shows how far it is, and when it is done', () => {
    expect(wordsOf({ ...job, doneInSeconds: 9_000 })).toContain(
      'The history since 2025-11-01 is being read: 40 of 220 checks and transactions (1 refused by the service, 2 first seen too recently), done about 14:30 UTC.',
    );
  });

  test('has its begin as other times are shown, and as the command takes it', () => {
    const fromSeconds = Date.UTC(2025, 9, 31, 13) / 1000;
    const words = wordsOf({ ...job, fromSeconds, read: 218, gone: 1, waiting: 0, open: 0 });
    expect(words).toContain('The history since 2025-10-31 13:00 UTC has been read');
    expect(words).toContain('uptime-exporter backfill --from 2025-10-31T13:00:00Z writes');
  });

  test('shows where it is and what is next when it is done, for a week', () => {
    const done = { ...job, read: 218, gone: 1, waiting: 0, open: 0 };
    expect(wordsOf(done)).toContain(
      'has been read: 218 of 220 checks and transactions (1 refused by the service, 1 deleted). Its months are in the report, and uptime-exporter backfill --from 2025-11-01 writes it for Prometheus.',
    );
    expect(wordsOf({ ...done, responseTimes: true })).toContain(
      'uptime-exporter backfill --from 2025-11-01 --response-times',
    );
    expect(wordsOf({ ...done, requestedAtSeconds: noon - 8 * 86_400 })).toBe('');
  });
});
