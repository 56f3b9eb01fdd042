import {
  failing,
  from,
  type Replica,
  type ReplicaLife,
  type Served,
  type World,
  watched,
} from './replica-world.ts';

/**
 * Scraped before `a`, so that after a take the stale markers of `a` follow the first samples of
 * `b`.
 */
const b = { instance: 'b:9158', phase: 7 };
const a = { instance: 'a:9158', phase: 12 };

const [down, failed] = ['UptimeCheckDown critical shop', 'UptimeTransactionFailing critical shop'];
const ofShared = `${down} uptime-exporter`;
const outage = from(300, 4000);

const always = (value: number) => () => value;
const while_ =
  ({ from: begin, to }: { readonly from: number; readonly to: number }, value = 1, otherwise = 0) =>
  (second: number) =>
    second >= begin && second < to ? value : otherwise;

interface Pair {
  readonly a?: Partial<Replica>;
  readonly b?: Partial<Replica>;
  readonly seconds?: number;
  readonly shop?: Served;
  readonly own?: Served;
  readonly others?: readonly Replica[];
  readonly otherAccounts?: World['shared'];
}

/** Replica `a` holds the account for ten minutes, then `b`. */
function pair({ a: ofA, b: ofB, seconds = 1800, shop, own, others, otherAccounts }: Pair): World {
  return {
    seconds,
    replicas: [
      { ...a, holds: { shop: [from(0, 605)] }, ...ofA },
      { ...b, holds: { shop: [from(605)] }, ...ofB },
      ...(others ?? []),
    ],
    shared: { shop: shop ?? watched(outage), ...otherAccounts },
    own: { shop: own ?? failing({}) },
  };
}

const ofGroup = 'group=checkout';

export const replicaLives: readonly ReplicaLife[] = [
  {
    name: 'an account is handed over while its check is down',
    world: pair({}),
    firing: [
      [0, 300],
      [400, 1800, ofShared],
    ],
  },
  {
    name: 'an account is handed over at the moment at which its check recovers',
    world: pair({ shop: watched(from(300, 615)) }),
    firing: [
      [400, 620, ofShared],
      [760, 1800],
    ],
  },
  {
    name: 'an account is handed over twice after its check has recovered',
    world: pair({
      a: { holds: { shop: [from(0, 605), from(1205)] } },
      b: { holds: { shop: [from(605, 1205)] } },
      shop: watched(from(300, 480)),
      seconds: 2400,
    }),
    firing: [
      [400, 480, ofShared],
      [600, 2400],
    ],
  },
  {
    name: 'a transaction fails, many checks are down and a group has little budget left when their account is handed over',
    world: pair({
      seconds: 1500,
      shop: {
        uptime_up: always(1),
        'uptime_outages_open kind=check': while_(outage, 6),
        'uptime_outages_open kind=transaction': while_(outage),
        'uptime_checks status=up,check_type=http': always(20),
        'uptime_transaction_outage_open check_id=9,name=Buy,importance=high': while_(outage),
        ...Object.fromEntries(
          [1, 2, 3, 4, 5, 6].map((id) => [
            `uptime_check_outage_open check_id=${id},name=Front,hostname=www.example.com,importance=high`,
            while_(outage),
          ]),
        ),
        [`uptime_group_burn_rate ${ofGroup},window=30d`]: always(0.9),
        [`uptime_group_burn_rate ${ofGroup},window=3d`]: always(20),
      },
    }),
    firing: [
      [0, 300],
      [
        570,
        850,
        ofShared,
        `${failed} uptime-exporter`,
        'UptimeManyChecksDown critical shop uptime-exporter',
      ],
      [
        1000,
        1500,
        ofShared,
        `${failed} uptime-exporter`,
        'UptimeGroupErrorBudgetBurn warning shop uptime-exporter',
        'UptimeManyChecksDown critical shop uptime-exporter',
      ],
    ],
  },
  {
    name: 'a check flaps and is up when its account is handed over',
    world: pair({
      shop: {
        ...watched(from(300, 500)),
        'uptime_check_flapping check_id=7,name=Front,hostname=www.example.com,importance=high':
          while_(from(300, 1500)),
      },
    }),
    firing: [
      [400, 1500, ofShared],
      [1620, 1800],
    ],
  },
  {
    name: 'the holder is killed while a check is down, and another replica takes the account a minute later',
    world: pair({ a: { runs: [from(0, 605)] }, b: { holds: { shop: [from(665)] } } }),
    firing: [
      [400, 900, ofShared],
      [1010, 1800, ofShared, 'UptimeExporterDown warning - a:9158'],
    ],
  },
  {
    name: 'the holder is killed while a check is down, and nobody takes the account',
    world: pair({ a: { runs: [from(0, 605)] }, b: { holds: { shop: [] } } }),
    firing: [
      [400, 735, ofShared],
      [830, 900, ofShared, 'UptimeExporterAccountWithoutHolder critical shop'],
      [
        1010,
        1800,
        ofShared,
        'UptimeExporterAccountWithoutHolder critical shop',
        'UptimeExporterDown warning - a:9158',
      ],
    ],
  },
  {
    name: 'all replicas are killed while a check is down',
    world: pair({
      a: { runs: [from(0, 605)] },
      b: { runs: [from(0, 605)], holds: { shop: [] } },
    }),
    firing: [
      [400, 900, ofShared],
      [
        1010,
        1800,
        ofShared,
        'UptimeExporterDown critical - a:9158',
        'UptimeExporterDown critical - b:9158',
      ],
    ],
  },
  {
    name: 'a replica is killed beside an exporter of another account that is killed, too',
    world: pair({
      a: { runs: [from(0, 605)] },
      others: [
        {
          instance: 'c:9158',
          phase: 2,
          holds: { blog: [from(0)] },
          runs: [from(0, 605)],
          isAlone: true,
        },
      ],
      otherAccounts: { blog: watched() },
    }),
    firing: [
      [400, 900, ofShared],
      [
        1050,
        1800,
        ofShared,
        'UptimeExporterDown critical - c:9158',
        'UptimeExporterDown warning - a:9158',
      ],
    ],
  },
  {
    name: 'no replica reaches the database for 20 minutes while a check is down',
    world: pair({
      seconds: 2500,
      a: { holds: { shop: [from(0, 635)] }, cutOff: [from(605, 1800)] },
      b: { holds: { shop: [from(1860)] }, cutOff: [from(605, 1800)] },
    }),
    firing: [
      [400, 735, ofShared],
      [830, 1800, ofShared, 'UptimeExporterDatabaseDown critical'],
      [2300, 2500, ofShared],
    ],
  },
  {
    name: 'the holder alone does not reach the database while a check is down',
    world: pair({
      a: { holds: { shop: [from(0, 635)] }, cutOff: [from(605)] },
      b: { holds: { shop: [from(700)] } },
    }),
    firing: [
      [400, 730, ofShared],
      [840, 1800, ofShared, 'UptimeExporterDatabaseDown warning - a:9158'],
    ],
  },
  {
    name: 'replicas take an account from each other six times within half an hour',
    world: pair({
      seconds: 3900,
      a: { holds: { shop: [from(0, 260), from(600, 860), from(1200, 1460), from(1800)] } },
      b: { holds: { shop: [from(300, 560), from(900, 1160), from(1500, 1760)] } },
      shop: watched(),
    }),
    firing: [
      [0, 1200],
      [1320, 2400, 'UptimeExporterOwnershipFlapping warning shop'],
      [2900, 3900],
    ],
  },
  {
    name: 'updates hand an account over six times within half an hour',
    world: pair({
      seconds: 3600,
      a: { holds: { shop: [from(0, 300), from(600, 900), from(1200, 1500)] } },
      b: { holds: { shop: [from(300, 600), from(900, 1200), from(1500)] } },
      shop: watched(),
    }),
    firing: [[0, 3600]],
  },
  {
    name: 'the service rejects the credentials before and after the account is handed over',
    world: pair({
      a: { holds: { shop: [from(0, 1205)] } },
      b: { holds: { shop: [from(1205)] } },
      seconds: 2400,
      shop: watched(),
      own: failing({
        unauthorized: from(400, 1205),
        starting: from(1205, 1230),
        forbidden: from(1230),
      }),
    }),
    firing: [
      [0, 560],
      [700, 2400, 'UptimeExporterAccountUnreadable critical shop'],
    ],
  },
  {
    name: 'transactions are late before and after the account is handed over',
    world: pair({
      a: { holds: { shop: [from(0, 2005)] } },
      b: { holds: { shop: [from(2005)] } },
      seconds: 2600,
      shop: watched(),
      own: {
        ...failing({}),
        'uptime_exporter_dataset_stale dataset=transactions': while_(from(300)),
        'uptime_exporter_dataset_interval_seconds dataset=transactions': always(60),
        'uptime_exporter_dataset_last_attempt_timestamp_seconds dataset=transactions': always(60),
      },
    }),
    firing: [
      [0, 900],
      [1050, 2600, 'UptimeExporterAccountUnreadable critical shop'],
    ],
  },
  {
    name: 'a replica hands its account over and is taken out of service discovery',
    world: pair({ seconds: 2400, a: { isTarget: from(0, 640) } }),
    firing: [[400, 2400, ofShared]],
  },
  {
    name: 'a rolling reload removes the account from one replica after the other while its check is down',
    world: pair({
      seconds: 2700,
      a: { removed: { shop: from(605) } },
      b: { holds: { shop: [from(640)] }, removed: { shop: from(1205) } },
    }),
    firing: [
      [400, 1205, ofShared],
      [1330, 2700],
    ],
  },
];
