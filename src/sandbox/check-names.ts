import { hashUnit } from '../lib/random.ts';

/** Names that break careless parsers, encoders and pages; two checks share one of them. */
export const awkwardNames: readonly string[] = [
  'Say "hi" \\ back\nsecond line',
  'comma, pipe | colon: semicolon; and = sign',
  'tab\there',
  '🚀 launch page ✨ 👩‍👩‍👧',
  'بوابة الدفع',
  '<script>alert(1)</script>',
  `A very long name ${'that goes on and '.repeat(20)}ends`,
  'C:\\new\\path {job="x"} # not a comment',
  'Homepage',
  'Homepage',
];

const services = [
  'Checkout',
  'Payments',
  'Search',
  'Login',
  'Catalogue',
  'Invoices',
  'Status page',
  'Blog',
];
const parts = ['frontend', 'API', 'gateway', 'worker', 'admin', 'webhooks'];
const nameSalt = 21;

/** The plain name of the check at `position`: a service, a part of it and, past the first of a kind, a number. */
export function plainName(seed: number, position: number): string {
  const shift = Math.floor(hashUnit(seed, nameSalt) * services.length);
  const service = services[(position + shift) % services.length];
  const part = parts[Math.floor(position / services.length) % parts.length];
  const round = Math.floor(position / (services.length * parts.length));
  return round === 0 ? `${service} ${part}` : `${service} ${part} ${round + 1}`;
}
