import { drawWire, recordedWire, type Wire } from '../../sandbox/src/wire.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { GroupPolicy, type SloPolicy } from '../../src/slo/groups.ts';
import { ObjectivePolicy } from '../../src/slo/objectives.ts';
import { servedOnly } from '../support/served-only.ts';
import { statesOnly } from '../support/states-only.ts';
import { beginOf } from './month-calendar.ts';
import {
  away,
  comeBack,
  copy,
  crash,
  create,
  doom,
  down,
  exclude,
  fault,
  type LifeEvent,
  maintenance,
  zone as newZone,
  pause,
  remove,
  rename,
  restore,
  type Script,
  serviceStep,
  step,
  tag,
  unknown,
} from './script.ts';

const minute = 60;
const [hour, day] = [60, 24 * 60];
const objective = 0.999;
const fits = (pattern: string, text: string) => pattern === '*' || pattern === text;
/** A group of all checks, and one of each tag. */
const slo: SloPolicy = {
  objectives: new ObjectivePolicy({ defaultRatio: objective, fits }),
  groups: new GroupPolicy({ named: [{ name: 'all', names: ['*'] }], fromTags: ['*'], fits }),
};

const zones = [
  ...(['UTC', 'Europe/Berlin', 'America/Havana', 'Australia/Lord_Howe'] as const),
  ...(['America/St_Johns', 'Africa/Casablanca', 'Asia/Kolkata', 'America/New_York'] as const),
];

interface EndOfMonth {
  readonly seed?: number;
  readonly zone?: string;
  /** The month that ends, such as `2026-10`. */
  readonly month?: string;
  /** Minutes from the begin of the life to the end of the month. */
  readonly lead: number;
  readonly events: readonly LifeEvent[];
  /** Minutes after the last event. */
  readonly settling?: number;
  readonly others?: Partial<Script>;
}

/** What is owed after one of a few events is read within this time; after more it may take longer. */
const usuallySettling = hour;

/** A life around the end of a month. */
export function endOfMonth({
  month = '2026-10',
  lead,
  events,
  others,
  ...given
}: EndOfMonth): Script {
  const { seed = 1, zone = 'UTC', settling = usuallySettling } = given;
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  // A check that is excluded for days does not come back.
  const ends = events.map((event) => {
    const isForEver = event.kind === 'exclude' && event.minutes > 2 * day;
    return event.at + ('minutes' in event && !isForEver ? event.minutes : 0);
  });
  return {
    seed,
    zone,
    begin: beginOf(next, zone) - lead * minute,
    minutes: Math.max(lead, ...ends) + settling,
    checks: 4,
    age: 60,
    limits: [60, 43_200],
    // Without the creation of a check, the time before first sight is not known.
    wire: { ...recordedWire, attributes: 'present' },
    datasets: statesOnly,
    // Months are read from the report.
    served: servedOnly(),
    slo,
    events,
    ...others,
  };
}

/** A random end of a month; the same seed gives the same one. */
export function drawEndOfMonth(seed: number): Script {
  let draws = 0;
  const chance = () => hashUnit(seed, 70, ++draws);
  const below = (end: number) => Math.floor(chance() * end);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const zone = pick(zones);
  const month = `${pick([2026, 2027])}-${String(1 + below(12)).padStart(2, '0')}`;
  /** The exporter runs for some hours, of which some may be days before the end. */
  const lead = 2 * hour + below(3 * hour) + (chance() < 0.4 ? below(28 * day) : 0);
  const early = () => 40 + below(80);
  const around = () => Math.max(40, lead - 90 + below(180));
  const events: LifeEvent[] = [];
  if (lead > 6 * hour) {
    // It is away over the end, for up to 400 days.
    const most = chance() < 0.2 ? 400 * day : 20 * day;
    events.push(away(150, lead - 150 + (chance() < 0.2 ? -below(300) : below(most))));
  } else if (chance() < 0.3) {
    const at = around();
    events.push(away(at, below(chance() < 0.3 ? 40 * day : 5 * hour)));
  }
  const outage = (): LifeEvent => {
    const before = chance() < 0.3 ? below(25 * day) : below(4 * hour);
    return down(below(4), lead - before, 2 + below(3 * hour));
  };
  events.push(outage(), outage(), down(below(4), lead - below(30), 5 + below(90)));
  const kinds: readonly (() => readonly LifeEvent[])[] = [
    () => [outage()],
    () => {
      const at = early();
      return [copy(at), restore(at + 20 + below(lead), 1 + below(5 * day))];
    },
    () => [exclude(below(4), around(), 5 + below(4 * hour), chance() < 0.5)],
    () => [exclude(below(4), early(), 8 * day)],
    () => [tag(below(4), around(), pick(['red', 'blue']))],
    () => [remove(below(4), around())],
    () => {
      const [at, check] = [early(), below(4)];
      return [remove(check, at), comeBack(check, at + 30 + below(2 * day))];
    },
    () => [rename(below(4), around())],
    () => [create(around())],
    () => [
      fault('unauthorized', around(), chance() < 0.1 ? 7 * day : pick([40, 5 * hour, 30 * hour])),
    ],
    () => [fault('status-500', early(), pick([60, 26 * hour]), 'list_outages')],
    () => [step(10 + below(60), pick([-5, -2, 2, 5]) * 3_600)],
    () => [maintenance(below(4), early(), 30 + below(90), 20 + below(180))],
    () => [pause(below(4), around(), 20 + below(200))],
    () => [unknown(below(4), around(), 5 + below(60))],
    () => [crash(around(), below(60))],
    () => [doom(around(), 1 + below(5), chance() < 0.5, below(30))],
    () => [newZone(early(), pick(zones))],
    () => [serviceStep(10 + below(60), pick([-2, 2]) * 3_600)],
  ];
  for (let count = 1 + below(3); count > 0; count--) events.push(...pick(kinds)());
  const drawn = chance() < 0.7 ? recordedWire : drawWire(seed);
  const hasTwin = chance() < 0.2;
  const days = chance() < 0.3 && { datasets: rareHours, limits: [200, 144_000] as const };
  const wire = { ...drawn, ...(chance() < 0.7 && { timeZone: zone }) };
  return endOfMonth({
    ...{ seed, zone, month, lead, events, settling: 3 * hour },
    others: { wire: { ...wire, attributes: 'present' }, hasTwin, ...days },
  });
}

type Row = readonly [name: string, script: Script];

/** Their hours are read so rarely that there are gaps. */
const rareHours = {
  ...statesOnly,
  performance: { enabled: true, floorSeconds: 10 * 86_400 },
};

/** A month whose response times are read by day. The exporter runs for hours after it. */
function byDay(
  zone: string,
  month: string,
  wire: Partial<Wire>,
  events: readonly LifeEvent[] = [],
): Script {
  const ends = events.map((event) => event.at + ('minutes' in event ? event.minutes : 0));
  return endOfMonth({
    ...{ lead: 2 * hour, zone, month, events },
    others: {
      datasets: rareHours,
      limits: [200, 144_000],
      minutes: Math.max(2 * hour, ...ends) + 2 * hour,
      wire: { ...recordedWire, attributes: 'present', ...wire },
    },
  });
}

/** The ends of months at which facts were lost. */
export const monthScripts: readonly Row[] = [
  [
    'response times are read by day',
    byDay('Europe/Berlin', '2026-10', { timeZone: 'Europe/Berlin' }),
  ],
  [
    'there are outages before first sight, and one ends with the month',
    endOfMonth({
      lead: 2 * hour,
      zone: 'Australia/Lord_Howe',
      events: [down(0, -5 * day, 300), down(1, 2 * hour - 20, 50)],
    }),
  ],
  [
    'the exporter is away from the 20th to the 6th',
    endOfMonth({
      month: '2026-12',
      lead: 11 * day + 3 * hour,
      events: [
        ...[0, 1].map((check) => down(check, -19 * day, 40)),
        down(0, 10 * day, 20),
        away(3 * hour, 17 * day),
      ],
    }),
  ],
  [
    'a backup from before the end is restored after it',
    endOfMonth({
      lead: 4 * hour,
      events: [down(0, 3 * hour, 70), down(1, -3 * day, 70), copy(2 * hour), restore(5 * hour, 5)],
    }),
  ],
  [
    'a check is excluded from before the end until after it',
    endOfMonth({
      lead: 3 * hour,
      events: [down(0, 40, 68), exclude(0, 3 * hour - 10, 20)],
    }),
  ],
  [
    'an outage goes on over the end while the exporter is away for a day',
    endOfMonth({ lead: 3 * hour, events: [down(0, 3 * hour - 29, 1_380), away(150, day)] }),
  ],
  [
    'one outage of three is wholly in maintenance',
    endOfMonth({
      lead: 6 * hour,
      events: [maintenance(0, 5, 60, 60), down(0, 75, 20), down(0, 140, 10), down(0, 170, 10)],
    }),
  ],
  [
    'the time zone changes',
    endOfMonth({
      lead: 4 * hour,
      zone: 'America/Havana',
      events: [down(0, 60, 20), newZone(2 * hour, 'Europe/Berlin')],
    }),
  ],
  [
    'two checks have one name',
    endOfMonth({ lead: 3 * hour, events: [rename(0, 30, 'twice'), rename(1, 32, 'twice')] }),
  ],
  [
    'a tag and a name change while the exporter is away over the end',
    endOfMonth({
      lead: 3 * hour,
      events: [
        ...[tag(0, 20, 'red'), tag(0, 4 * hour, 'blue'), rename(1, 4 * hour)],
        away(2 * hour, 4 * hour),
      ],
    }),
  ],
  [
    'two accounts have one token',
    endOfMonth({ lead: 2 * hour, events: [down(0, 60, 20)], others: { hasTwin: true } }),
  ],
  [
    'the clock of the service is two hours ahead',
    endOfMonth({ lead: 4 * hour, events: [serviceStep(30, 7_200), down(0, 200, 20)] }),
  ],
  [
    'the clock of the machine is five hours behind',
    endOfMonth({ lead: 4 * hour, events: [step(30, -18_000), down(0, 200, 80)] }),
  ],
  [
    'a reload excludes a check after the end, while the clock of the service is two hours ahead',
    endOfMonth({ lead: 170, events: [serviceStep(24, 7_200), exclude(1, 97, 84)] }),
  ],
  [
    'a reload excludes a check while the clock of the machine is five hours ahead',
    endOfMonth({ lead: 300, events: [step(20, 18_000), exclude(1, 90, 8 * day)] }),
  ],
  [
    'the clock of the machine is five hours ahead, and the exporter is away over the end',
    endOfMonth({ lead: 100, events: [step(30, 18_000), away(60, 60)] }),
  ],
  [
    'an outage ends after it, and then the check is deleted',
    endOfMonth({ lead: 60, events: [down(0, 50, 20), remove(0, 110)] }),
  ],
  [
    'a deleted check has other tags when it is listed again after the end',
    endOfMonth({
      lead: 100,
      events: [remove(0, 40), comeBack(0, 90), tag(0, 110, 'blue'), away(60, 60)],
    }),
  ],
  [
    'a deleted check is listed again when its totals and the log of that time are gone',
    endOfMonth({
      lead: 70,
      events: [
        ...[remove(0, 20), comeBack(0, 120), away(50, 37 * day)],
        fault('status-500', 45 + 37 * day, 20, 'list_checks'),
      ],
    }),
  ],
];

/** More of them, which take seconds each. */
export const longMonthScripts: readonly Row[] = [
  [
    'response times are read by day, and the days of the service are those of the calendar',
    byDay('Europe/Berlin', '2026-03', { timeZone: 'Europe/Berlin', days: 'of-the-calendar' }),
  ],
  [
    'response times are read by day after an absence over the end, of a check that was paused and a new one',
    byDay('Asia/Kolkata', '2026-11', { timeZone: 'Asia/Kolkata' }, [
      ...[pause(0, 20, 30), create(25), down(1, 30, 10), away(70, 9 * day)],
    ]),
  ],
  [
    'the days of the service are of another time zone',
    byDay('Europe/Berlin', '2026-11', { timeZone: 'Europe/London' }),
  ],
  [
    'the worst check is deleted, another one is created, and one is renamed when all is sealed',
    endOfMonth({
      lead: 5 * hour,
      events: [down(0, 30, 60), remove(0, 2 * hour), create(3 * hour), rename(1, 7 * hour)],
    }),
  ],
  [
    'an outage goes on over the end',
    endOfMonth({ lead: 3 * hour, events: [down(0, 3 * hour - 29, 100), down(1, 170, 400)] }),
  ],
  [
    'the token is refused over the end, for more than a day',
    endOfMonth({
      lead: 3 * hour,
      events: [down(0, 150, 60), fault('unauthorized', 120, 30 * hour)],
    }),
  ],
  [
    'a check is deleted before the end and listed again after it',
    endOfMonth({
      lead: 3 * hour,
      events: [down(0, 40, 30), remove(0, 2 * hour), comeBack(0, 5 * hour)],
    }),
  ],
  [
    'the exporter is away for 400 days',
    endOfMonth({
      month: '2026-01',
      lead: 3 * hour,
      events: [down(0, 200, 90), away(150, 400 * day)],
    }),
  ],
  [
    'outage reports cannot be read for more than a day',
    endOfMonth({
      lead: 3 * hour,
      events: [down(0, 60, 20), fault('status-500', 50, 26 * hour, 'list_outages')],
    }),
  ],
];
