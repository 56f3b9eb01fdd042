import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { drawWire, recordedWire } from '../../sandbox/src/wire.ts';
import { hashUnit } from '../../src/lib/random.ts';
import {
  away,
  cancel,
  crash,
  doom,
  down,
  drought,
  edit,
  faster,
  fault,
  full,
  type LifeEvent,
  maintenance,
  pause,
  reload,
  remove,
  rename,
  type Script,
  slower,
  step,
  unknown,
} from './script.ts';

const faults: readonly FaultName[] = [
  ...(['status-500', 'status-503', 'html', 'empty-body', 'truncated-json', 'json-array'] as const),
  ...(['corrupt-gzip', 'truncated-gzip', 'reset-in-body', 'unauthorized', 'forbidden'] as const),
  ...(['malformed-entries', 'duplicate-entry', 'no-limit-headers', 'hang', 'drip'] as const),
];
const operations = ['list_checks', 'list_outages', 'list_maintenance', undefined];

/** A random script, whose events begin within some minutes; the same seed gives the same one. */
export function drawScript(seed: number, minutes = 200): Script {
  let draws = 0;
  const chance = () => hashUnit(seed, 77, ++draws);
  const upTo = (most: number) => Math.round(10 * chance() * most) / 10;
  const below = (end: number) => Math.floor(chance() * end);
  const length = () => 1 + upTo(60) * chance();
  const at = () => 5 + upTo(minutes);
  const kinds: readonly (() => LifeEvent)[] = [
    () => down(below(5), at() - (chance() < 0.2 ? 600 : 0), 4 * length()),
    () => down(below(5), at(), length()),
    () => down(below(5), at(), length()),
    () => down(0, at(), 3),
    () => unknown(below(5), at(), length()),
    () => pause(below(5), at(), length()),
    () => rename(below(5), at()),
    () => remove(below(5), at()),
    () => maintenance(below(5), at(), upTo(60), 1 + upTo(90)),
    () => edit(at(), 1 + upTo(90)),
    () => cancel(at()),
    () => faster(below(5), at(), length()),
    () => slower(below(5), at(), length()),
    () => fault(pick(faults, chance()), at(), length(), pick(operations, chance())),
    () => full(at(), length()),
    () => away(at(), chance() < 0.2 ? 20 * length() : length()),
    () => crash(at(), length()),
    () => doom(at(), 1 + below(6), chance() < 0.5, upTo(5)),
    () => reload(at()),
    () => drought(at()),
    () => step(at(), Math.round((chance() - 0.5) * 14_400)),
  ];
  const events = Array.from({ length: 2 + below(7) }, () => pick(kinds, chance())());
  const wire = chance() < 0.5 ? recordedWire : drawWire(seed);
  return { seed, events, wire };
}

/**
 * Drops events as long as the script still fails: half of them, then fewer and fewer at once. It is
 * played at most `mostPlays` times.
 */
export async function shrink(
  script: Script,
  fails: (smaller: Script) => Promise<boolean>,
  mostPlays: number,
): Promise<Script> {
  let smallest = script;
  let plays = 0;
  for (let some = Math.ceil(script.events.length / 2); some >= 1; some = Math.floor(some / 2)) {
    for (let place = 0; place < smallest.events.length && plays < mostPlays; plays++) {
      // The time that passes stays, so that the other events happen as before.
      const smaller = { ...smallest, events: smallest.events.toSpliced(place, some) };
      if (await fails(smaller)) smallest = smaller;
      else place += some;
    }
  }
  return smallest;
}

function pick<T>(from: readonly T[], chance: number): T {
  return from[Math.floor(chance * from.length)] as T;
}
