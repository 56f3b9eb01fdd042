import { endNames, isRange } from '../month-range.ts';

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export function monthTitle(name: string): string {
  if (isRange({ name })) return endNames({ name }).map(monthTitle).join(' to ');
  const [year, month] = name.split('-');
  return `${monthNames[Number(month) - 1]} ${year}`;
}

/** Such as `Oct 2026`. */
export function shortMonthTitle(name: string): string {
  return monthTitle(name).replace(/^(\w{3})\w*/, '$1');
}
