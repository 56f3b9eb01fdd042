import { describe, expect, test } from 'vitest';
import type { MaintenanceSpan, MaintenanceWindow } from '../../src/domain/maintenance.ts';
import { occurrencesByItem } from '../../src/state/maintenance.ts';
import { correctedPast } from '../../src/state/maintenance-edits.ts';
import { union } from '../../src/tally/maintenance-tally.ts';

const start = 1_767_225_600;
const minute = 60;

/** The ranges of a drawn line, on which each character is a minute. */
function rangesOf(line: string) {
  return [...line.matchAll(/=+/g)].map(({ 0: drawn, index }) => ({
    fromSeconds: start + index * minute,
    toSeconds: start + (index + drawn.length) * minute,
  }));
}

interface Window {
  readonly line: string;
  readonly recurrence?: MaintenanceWindow['recurrence'];
  readonly checkIds?: readonly number[];
}

function maintenanceOf({ line, recurrence = 'day', checkIds = [1] }: Window) {
  const ranges = rangesOf(line);
  const [first] = ranges;
  if (first === undefined) return { windows: [], occurrences: [] };
  const times = { startAtSeconds: first.fromSeconds, endAtSeconds: first.toSeconds };
  const window = { id: 5, recurrence, checkIds: [...checkIds], transactionIds: [], ...times };
  const occurrences = ranges.map((range): MaintenanceSpan => ({ maintenanceId: 5, ...range }));
  return { windows: [window], occurrences };
}

/** The line of what is in effect for check 1 after an edit between the reads `r` and `n`. */
function inEffect(reads: string, planned: Window, reported: Window): string {
  const read = maintenanceOf(reported);
  const at = (letter: string) => start + reads.indexOf(letter) * minute;
  const past = correctedPast(read, maintenanceOf(planned), {
    readAtSeconds: at('r'),
    nowSeconds: at('n'),
    keptFromSeconds: 0,
  });
  const ranges = union(occurrencesByItem('check', { ...read, ...past })(1));
  return Array.from({ length: reads.length }, (_, place) => {
    const seconds = start + place * minute;
    return ranges.some((one) => one.fromSeconds <= seconds && seconds < one.toSeconds) ? '=' : ' ';
  }).join('');
}

/** Not a member of the window. */
const other = [2];
const nightly = ' ===     ===     ===     ===     ===     ';
const long = ' ===     ===     ===   ==========        ';

describe('after an edit between two reads', () => {
  const reads = '                         r     n         ';
  const cases: [what: string, planned: Window, reported: Window, expected: string][] = [
    [
      'a deleted window was in effect until the second read',
      { line: long },
      { line: '' },
      ' ===     ===     ===   ========          ',
    ],
    [
      'a member that left was in maintenance until then',
      { line: long },
      { line: long, checkIds: other },
      ' ===     ===     ===   ========          ',
    ],
    [
      'a new member is in maintenance from the occurrence on that was not over at the first read',
      { line: nightly, checkIds: other },
      { line: nightly },
      '                         ===     ===     ',
    ],
    [
      'a moved window was in effect at its former times, and has the new ones from the first read on',
      { line: nightly },
      { line: '     ===     ===     ===     ===     === ' },
      ' ===     ===     ===     === ===     === ',
    ],
    [
      'an occurrence that was not over is shortened or extended',
      { line: long },
      { line: ' ===     ===     ===   =====             ' },
      ' ===     ===     ===   =====             ',
    ],
    [
      'a window without recurrence has its new times also in the past',
      { line: '    ====    ', recurrence: 'none' },
      { line: '  ==========', recurrence: 'none' },
      '  ==========                             ',
    ],
    [
      'a window without recurrence that is used again was in effect at both times',
      { line: '    ====    ', recurrence: 'none' },
      { line: '                ====', recurrence: 'none' },
      '    ====        ====                     ',
    ],
    [
      'a window without recurrence has its new members also in the past',
      { line: '    ====    ', recurrence: 'none', checkIds: other },
      { line: '    ====    ', recurrence: 'none' },
      '    ====                                 ',
    ],
    [
      'a new window is in effect in the past, too',
      { line: '' },
      { line: nightly },
      ' ===     ===     ===     ===     ===     ',
    ],
  ];
  test.each(cases)('%s', (_, planned, reported, expected) => {
    expect(inEffect(reads, planned, reported)).toBe(expected);
  });
});
