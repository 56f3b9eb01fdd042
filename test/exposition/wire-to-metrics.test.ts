import { expect, test } from 'vitest';
import { createService } from '../../src/api/versions.ts';
import { sloPolicyOf } from '../../src/config/objectives-schema.ts';
import { createRefreshes } from '../../src/datasets/index.ts';
import { type DatasetName, datasetNames } from '../../src/domain/dataset.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import { accountFamilies } from '../../src/exposition/catalogue/account-families.ts';
import { checkFamilies } from '../../src/exposition/catalogue/catalogue.ts';
import { transactionFamilies } from '../../src/exposition/catalogue/transaction-families.ts';
import { shopState } from '../state/support/shop.ts';
import { defaultPolicies } from '../support/default-policies.ts';
import { refreshWires } from '../support/refresh-wires.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { freshPage, plainText } from './support/rendering.ts';

/** 2026-01-01T12:00:00Z, in UNIX seconds. */
const noon = 1_767_268_800;
const minute = 60;
const hour = 3600;

/** One refresh of a dataset: the service's responses, keyed by path below `/api/{version}/`. */
interface Reading {
  readonly dataset: DatasetName;
  /** The id of the check or transaction; absent for a dataset of the account. */
  readonly id?: number;
  /** Seconds that pass before it; by default 0. */
  readonly after?: number;
  readonly replies: Readonly<Record<string, unknown>>;
}

/** One object of the API, and the lines it adds to `/metrics`. */
interface Row {
  readonly what: string;
  readonly version?: ApiVersion;
  /** Earlier refreshes. Their lines are not repeated. */
  readonly before?: readonly Reading[];
  readonly reading: Reading;
  readonly lines: string;
  /** The series that it removes. */
  readonly withdrawn?: string;
}

function checkList(...checks: readonly object[]): Reading['replies'] {
  const counts = { total: checks.length, limited: checks.length, filtered: checks.length };
  return { checks: { checks, counts } };
}

const shop = { id: 12, name: 'Shop', type: 'http', status: 'up', resolution: 1 };
const shopIsListed: Reading = {
  dataset: 'checks',
  replies: checkList({ ...shop, lasttesttime: noon }),
};
/** The list an hour later: results, alerts and analyses are counted up to its newest test. */
const shopIsListedAgain: Reading = {
  dataset: 'checks',
  after: hour,
  replies: checkList({ ...shop, lasttesttime: noon + hour }),
};

function shopIsDown(after: number, lastdownstart = noon - 30): Reading {
  const down = { ...shop, status: 'down', lasttesttime: noon, lastdownstart };
  return { dataset: 'checks', after, replies: checkList(down) };
}

function shopHasRecovered(after: number, lastdownend: number): Reading {
  const up = { ...shop, lasttesttime: noon, lastdownstart: noon - 30, lastdownend };
  return { dataset: 'checks', after, replies: checkList(up) };
}

const order = {
  id: 3,
  name: 'Order',
  type: 'script',
  active: true,
  status: 'successful',
  interval: 10,
};
const noReports = { 'tms/check/report/status': { report: [] } };
const orderIsListed: Reading = {
  dataset: 'transactions',
  replies: { 'tms/check': { checks: [order] }, ...noReports },
};

function orderIsFailing(after: number, downtimeStart = noon - 30): Reading {
  const failing = { ...order, status: 'failing', last_downtime_start: downtimeStart };
  return {
    dataset: 'transactions',
    after,
    replies: { 'tms/check': { checks: [failing] }, ...noReports },
  };
}

function orderHasRecovered(after: number, downtimeEnd: number): Reading {
  const recovered = { ...order, last_downtime_start: noon - 30, last_downtime_end: downtimeEnd };
  return {
    dataset: 'transactions',
    after,
    replies: { 'tms/check': { checks: [recovered] }, ...noReports },
  };
}

const orderIsReported: Reading = {
  dataset: 'transactions',
  replies: {
    'tms/check': { checks: [order] },
    'tms/check/report/status': {
      report: [
        {
          check_id: 3,
          name: 'Order',
          states: [{ status: 'up', from: '2026-01-01T11:00:00Z', to: '2026-01-01T12:00:00Z' }],
        },
      ],
    },
  },
};
/** Created at noon, so that its whole past is known. */
const youngOrder = { ...order, created_at: noon };
const youngOrderIsListed: Reading = {
  dataset: 'transactions',
  replies: { 'tms/check': { checks: [youngOrder] }, ...noReports },
};

/** From ten minutes before noon until ten minutes after it, every day. */
const backupIsPlanned: Reading = {
  dataset: 'maintenance',
  replies: {
    maintenance: {
      maintenance: [
        {
          id: 8,
          description: 'Backup',
          from: noon - 600,
          to: noon + 600,
          recurrencetype: 'day',
          repeatevery: 1,
          checks: { uptime: [12], tms: [3] },
        },
      ],
    },
    'maintenance.occurrences': {
      occurrences: [
        { id: 20, maintenanceid: 8, from: noon - 600, to: noon + 600, duration: 20 },
        { id: 21, maintenanceid: 8, from: noon + 85_800, to: noon + 87_000, duration: 20 },
      ],
    },
  },
};

const rows: readonly Row[] = [
  {
    what: 'an account without checks',
    reading: { dataset: 'checks', replies: checkList() },
    lines: `
      uptime_up{account="shop"} 1
      uptime_outages_open{account="shop",kind="check"} 0
      uptime_listed_checks{account="shop"} 0
    `,
  },
  {
    what: 'a check',
    before: [{ dataset: 'checks', replies: checkList() }],
    reading: {
      dataset: 'checks',
      replies: checkList({
        id: 12,
        name: 'Shop',
        hostname: 'shop.example.com',
        type: 'http',
        status: 'up',
        severity_level: 'HIGH',
        ipv6: false,
        resolution: 1,
        created: noon - 86_400,
        lasttesttime: noon - 30,
        lastresponsetime: 355,
        lasterrortime: noon - 7_200,
        lastdownstart: noon - 7_260,
        lastdownend: noon - 7_200,
        tags: [{ name: 'checkout', type: 'u', count: 1 }],
      }),
    },
    lines: `
      uptime_account_info{account="shop",api_version="3.1",base_url="https://api.example.com",store="",first_check="12"} 1
      uptime_listed_checks{account="shop"} 1
      uptime_checks{account="shop",check_type="http",status="up"} 1
      uptime_checks{account="shop",check_type="http",status="down"} 0
      uptime_checks{account="shop",check_type="http",status="unconfirmed_down"} 0
      uptime_checks{account="shop",check_type="http",status="unknown"} 0
      uptime_checks{account="shop",check_type="http",status="paused"} 0
      uptime_recent_outage_start_timestamp_seconds{account="shop",kind="check",check_id="12",name="Shop",outage="1767261540",beginning="exact",ending="exact",maintenance="none",cause=""} 1767261540
      uptime_recent_outage_end_timestamp_seconds{account="shop",kind="check",check_id="12",name="Shop",outage="1767261540",beginning="exact",ending="exact",maintenance="none",cause=""} 1767261600
      uptime_check_info{account="shop",check_id="12",name="Shop",check_type="http",hostname="shop.example.com",severity="HIGH",ipv6="false"} 1
      uptime_check_tag_info{account="shop",check_id="12",name="Shop",tag="checkout",tag_source="user"} 1
      uptime_check_up{account="shop",check_id="12",name="Shop"} 1
      uptime_check_status{account="shop",check_id="12",name="Shop",status="up"} 1
      uptime_check_status{account="shop",check_id="12",name="Shop",status="down"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="unconfirmed_down"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="unknown"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="paused"} 0
      uptime_check_paused{account="shop",check_id="12",name="Shop"} 0
      uptime_check_resolution_seconds{account="shop",check_id="12",name="Shop"} 60
      uptime_check_last_response_time_seconds{account="shop",check_id="12",name="Shop"} 0.355
      uptime_check_last_test_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268770
      uptime_check_last_error_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767261600
      uptime_check_last_down_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767261540
      uptime_check_last_down_end_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767261600
      uptime_check_created_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767182400
      uptime_check_state_seconds_total{account="shop",check_id="12",name="Shop",state="up"} 0
      uptime_check_state_seconds_total{account="shop",check_id="12",name="Shop",state="down"} 0
      uptime_check_state_seconds_total{account="shop",check_id="12",name="Shop",state="unknown"} 0
      uptime_check_state_seconds_total{account="shop",check_id="12",name="Shop",state="unmonitored"} 0
      uptime_check_outages_total{account="shop",check_id="12",name="Shop"} 0
      uptime_check_results_total{account="shop",check_id="12",name="Shop",status="up"} 0
      uptime_check_results_total{account="shop",check_id="12",name="Shop",status="down"} 0
      uptime_check_results_total{account="shop",check_id="12",name="Shop",status="unconfirmed_down"} 0
      uptime_check_results_total{account="shop",check_id="12",name="Shop",status="unknown"} 0
      uptime_check_response_time_seconds_bucket{account="shop",check_id="12",name="Shop",le="0.1"} 0
      uptime_check_response_time_seconds_bucket{account="shop",check_id="12",name="Shop",le="1.0"} 0
      uptime_check_response_time_seconds_bucket{account="shop",check_id="12",name="Shop",le="+Inf"} 0
      uptime_check_response_time_seconds_sum{account="shop",check_id="12",name="Shop"} 0
      uptime_check_response_time_seconds_count{account="shop",check_id="12",name="Shop"} 0
      uptime_check_analyses_total{account="shop",check_id="12",name="Shop"} 0
      uptime_check_objective_ratio{account="shop",check_id="12",name="Shop"} 0.999
    `,
    withdrawn: `
      uptime_account_info{account="shop",api_version="3.1",base_url="https://api.example.com",store="",first_check=""}
    `,
  },
  {
    what: 'a check that fails for the first time',
    before: [shopIsListed],
    reading: {
      dataset: 'checks',
      after: minute,
      replies: checkList({
        ...shop,
        status: 'unconfirmed_down',
        lasttesttime: noon + minute,
        lasterrortime: noon + minute,
      }),
    },
    lines: `
      uptime_checks{account="shop",check_type="http",status="up"} 0
      uptime_checks{account="shop",check_type="http",status="unconfirmed_down"} 1
      uptime_check_up{account="shop",check_id="12",name="Shop"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="up"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="unconfirmed_down"} 1
      uptime_check_last_test_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268860
      uptime_check_last_error_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268860
    `,
  },
  {
    what: 'a check that is down',
    before: [shopIsListed],
    reading: {
      dataset: 'checks',
      after: minute,
      replies: checkList({
        ...shop,
        hostname: 'www.example.com',
        severity: 'LOW',
        status: 'down',
        lasttesttime: noon + minute,
        lasterrortime: noon + minute,
        lastdownstart: noon + 30,
      }),
    },
    lines: `
      uptime_outages_open{account="shop",kind="check"} 1
      uptime_checks{account="shop",check_type="http",status="up"} 0
      uptime_checks{account="shop",check_type="http",status="down"} 1
      uptime_recent_outage_start_timestamp_seconds{account="shop",kind="check",check_id="12",name="Shop",outage="1767268830",beginning="exact",ending="open",maintenance="none",cause=""} 1767268830
      uptime_check_info{account="shop",check_id="12",name="Shop",check_type="http",hostname="www.example.com",severity="LOW",ipv6=""} 1
      uptime_check_up{account="shop",check_id="12",name="Shop"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="up"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="down"} 1
      uptime_check_last_test_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268860
      uptime_check_last_error_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268860
      uptime_check_last_down_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268830
      uptime_check_outage_open{account="shop",check_id="12",name="Shop",hostname="www.example.com",importance="low"} 1
      uptime_check_outage_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268830
    `,
    withdrawn: `
      uptime_check_info{account="shop",check_id="12",name="Shop",check_type="http",hostname="",severity="",ipv6=""}
    `,
  },
  {
    what: 'a check whose third outage within an hour begins',
    before: [
      shopIsListed,
      shopIsDown(10 * minute),
      shopHasRecovered(10 * minute, noon - 25),
      shopIsDown(10 * minute, noon - 20),
      shopHasRecovered(10 * minute, noon - 15),
    ],
    reading: shopIsDown(10 * minute, noon - 10),
    lines: `
      uptime_outages_open{account="shop",kind="check"} 1
      uptime_checks{account="shop",check_type="http",status="up"} 0
      uptime_checks{account="shop",check_type="http",status="down"} 1
      uptime_recent_outage_start_timestamp_seconds{account="shop",kind="check",check_id="12",name="Shop",outage="1767268790",beginning="exact",ending="open",maintenance="none",cause=""} 1767268790
      uptime_check_up{account="shop",check_id="12",name="Shop"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="up"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="down"} 1
      uptime_check_last_down_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268790
      uptime_check_outage_open{account="shop",check_id="12",name="Shop",hostname="",importance="high"} 1
      uptime_check_flapping{account="shop",check_id="12",name="Shop",hostname="",importance="high"} 1
      uptime_check_outage_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767268790
    `,
    withdrawn: `
      uptime_check_last_down_end_timestamp_seconds{account="shop",check_id="12",name="Shop"}
    `,
  },
  {
    what: 'a paused check',
    before: [shopIsListed],
    reading: {
      dataset: 'checks',
      after: minute,
      replies: checkList({ ...shop, status: 'paused', lasttesttime: noon }),
    },
    lines: `
      uptime_checks{account="shop",check_type="http",status="up"} 0
      uptime_checks{account="shop",check_type="http",status="paused"} 1
      uptime_check_status{account="shop",check_id="12",name="Shop",status="up"} 0
      uptime_check_status{account="shop",check_id="12",name="Shop",status="paused"} 1
      uptime_check_paused{account="shop",check_id="12",name="Shop"} 1
    `,
    withdrawn: `
      uptime_check_up{account="shop",check_id="12",name="Shop"}
    `,
  },
  {
    what: 'an outage of three minutes',
    before: [
      shopIsListed,
      {
        dataset: 'checks',
        after: hour,
        replies: checkList({
          ...shop,
          status: 'up',
          lasttesttime: noon + hour,
          lasterrortime: noon + 12 * minute,
          lastdownstart: noon + 10 * minute,
          lastdownend: noon + 13 * minute,
        }),
      },
    ],
    reading: {
      dataset: 'outages',
      id: 12,
      replies: {
        'summary.outage/12': {
          summary: {
            states: [
              { status: 'up', timefrom: noon, timeto: noon + 10 * minute },
              { status: 'down', timefrom: noon + 10 * minute, timeto: noon + 13 * minute },
              { status: 'up', timefrom: noon + 13 * minute, timeto: noon + hour },
            ],
          },
        },
      },
    },
    lines: `
      uptime_check_state_seconds_total{account="shop",check_id="12",name="Shop",state="up"} 3420
      uptime_check_state_seconds_total{account="shop",check_id="12",name="Shop",state="down"} 180
      uptime_check_outages_total{account="shop",check_id="12",name="Shop"} 1
      uptime_check_last_outage_duration_seconds{account="shop",check_id="12",name="Shop"} 180
      uptime_check_last_outage_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767269400
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="5m"} 0
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="30m"} 0
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="1h"} 0.05
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="2h"} 0.025
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="6h"} 0.008333333333333333
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="1d"} 0.0020833333333333333
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="3d"} 0.0006944444444444445
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="7d"} 0.00029761904761904765
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="30d"} 0.00006944444444444444
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="5m"} 0
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="30m"} 0
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="1h"} 50
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="2h"} 25
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="6h"} 8.333333333333334
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="1d"} 2.0833333333333335
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="3d"} 0.6944444444444444
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="7d"} 0.2976190476190476
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="30d"} 0.06944444444444445
      uptime_check_error_budget_remaining_ratio{account="shop",check_id="12",name="Shop"} 0.9305555555555556
    `,
  },
  {
    what: 'a check that becomes one of a group',
    before: [shopIsListed],
    reading: {
      dataset: 'checks',
      replies: checkList({
        ...shop,
        lasttesttime: noon,
        tags: [{ name: 'team:pay', type: 'u', count: 1 }],
      }),
    },
    lines: `
      uptime_groups_left_out{account="shop"} 0
      uptime_group_checks{account="shop",group="team:pay",status="up"} 1
      uptime_group_checks{account="shop",group="team:pay",status="down"} 0
      uptime_group_checks{account="shop",group="team:pay",status="unconfirmed_down"} 0
      uptime_group_checks{account="shop",group="team:pay",status="unknown"} 0
      uptime_group_checks{account="shop",group="team:pay",status="paused"} 0
      uptime_group_outages_open{account="shop",group="team:pay"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="30d",of="mean"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="30d",of="worst"} 0
      uptime_group_objective_ratio{account="shop",group="team:pay"} 0.999
      uptime_group_error_budget_remaining_ratio{account="shop",group="team:pay"} 1
      uptime_check_tag_info{account="shop",check_id="12",name="Shop",tag="team:pay",tag_source="user"} 1
    `,
  },
  {
    what: 'an outage of a check of a group before it was first seen',
    before: [
      {
        dataset: 'checks',
        replies: checkList({
          ...shop,
          created: noon - 86_400,
          lasttesttime: noon,
          lasterrortime: noon - 3 * hour,
          tags: [{ name: 'team:pay', type: 'u', count: 1 }],
        }),
      },
    ],
    reading: {
      dataset: 'history',
      id: 12,
      replies: {
        'summary.outage/12': {
          summary: {
            states: [
              { status: 'up', timefrom: noon - 86_400, timeto: noon - 3 * hour - 108 },
              { status: 'down', timefrom: noon - 3 * hour - 108, timeto: noon - 3 * hour },
              { status: 'up', timefrom: noon - 3 * hour, timeto: noon },
            ],
          },
        },
      },
    },
    lines: `
      uptime_recent_outage_start_timestamp_seconds{account="shop",kind="check",check_id="12",name="Shop",outage="1767257892",beginning="exact",ending="exact",maintenance="none",cause=""} 1767257892
      uptime_recent_outage_end_timestamp_seconds{account="shop",kind="check",check_id="12",name="Shop",outage="1767257892",beginning="exact",ending="exact",maintenance="none",cause=""} 1767258000
      uptime_group_error_ratio{account="shop",group="team:pay",window="5m",of="mean"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="5m",of="worst"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="30m",of="mean"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="30m",of="worst"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="1h",of="mean"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="1h",of="worst"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="2h",of="mean"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="2h",of="worst"} 0
      uptime_group_error_ratio{account="shop",group="team:pay",window="6h",of="mean"} 0.005
      uptime_group_error_ratio{account="shop",group="team:pay",window="6h",of="worst"} 0.005
      uptime_group_error_ratio{account="shop",group="team:pay",window="1d",of="mean"} 0.00125
      uptime_group_error_ratio{account="shop",group="team:pay",window="1d",of="worst"} 0.00125
      uptime_group_error_ratio{account="shop",group="team:pay",window="3d",of="mean"} 0.00125
      uptime_group_error_ratio{account="shop",group="team:pay",window="3d",of="worst"} 0.00125
      uptime_group_error_ratio{account="shop",group="team:pay",window="7d",of="mean"} 0.00125
      uptime_group_error_ratio{account="shop",group="team:pay",window="7d",of="worst"} 0.00125
      uptime_group_error_ratio{account="shop",group="team:pay",window="30d",of="mean"} 0.00125
      uptime_group_error_ratio{account="shop",group="team:pay",window="30d",of="worst"} 0.00125
      uptime_group_burn_rate{account="shop",group="team:pay",window="5m"} 0
      uptime_group_burn_rate{account="shop",group="team:pay",window="30m"} 0
      uptime_group_burn_rate{account="shop",group="team:pay",window="1h"} 0
      uptime_group_burn_rate{account="shop",group="team:pay",window="2h"} 0
      uptime_group_burn_rate{account="shop",group="team:pay",window="6h"} 5
      uptime_group_burn_rate{account="shop",group="team:pay",window="1d"} 1.25
      uptime_group_burn_rate{account="shop",group="team:pay",window="3d"} 0.8333333333333334
      uptime_group_burn_rate{account="shop",group="team:pay",window="7d"} 0.35714285714285715
      uptime_group_burn_rate{account="shop",group="team:pay",window="30d"} 0.08333333333333333
      uptime_group_error_budget_remaining_ratio{account="shop",group="team:pay"} -0.25
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="5m"} 0
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="30m"} 0
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="1h"} 0
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="2h"} 0
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="6h"} 0.005
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="1d"} 0.00125
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="3d"} 0.00125
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="7d"} 0.00125
      uptime_check_error_ratio{account="shop",check_id="12",name="Shop",window="30d"} 0.00125
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="5m"} 0
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="30m"} 0
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="1h"} 0
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="2h"} 0
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="6h"} 5
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="1d"} 1.25
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="3d"} 0.8333333333333334
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="7d"} 0.35714285714285715
      uptime_check_burn_rate{account="shop",check_id="12",name="Shop",window="30d"} 0.08333333333333333
      uptime_check_error_budget_remaining_ratio{account="shop",check_id="12",name="Shop"} -0.25
    `,
  },
  {
    what: 'the results of a check, one answered and one not, with the country of the probe',
    before: [
      shopIsListed,
      {
        dataset: 'probes',
        replies: {
          probes: {
            probes: [
              {
                id: 257,
                name: 'Stockholm 2',
                country: 'Sweden',
                countryiso: 'SE',
                city: 'Stockholm',
                region: 'EU',
                active: true,
              },
            ],
          },
        },
      },
      shopIsListedAgain,
    ],
    reading: {
      dataset: 'results',
      id: 12,
      replies: {
        'results/12': {
          activeprobes: [257],
          results: [
            { probeid: 257, time: noon + 10 * minute, status: 'down', statusdesc: 'Timeout' },
            { probeid: 257, time: noon + 9 * minute, status: 'up', responsetime: 92 },
          ],
        },
      },
    },
    lines: `
      uptime_check_results_total{account="shop",check_id="12",name="Shop",status="up"} 1
      uptime_check_results_total{account="shop",check_id="12",name="Shop",status="down"} 1
      uptime_check_response_time_seconds_bucket{account="shop",check_id="12",name="Shop",le="0.1"} 1
      uptime_check_response_time_seconds_bucket{account="shop",check_id="12",name="Shop",le="1.0"} 1
      uptime_check_response_time_seconds_bucket{account="shop",check_id="12",name="Shop",le="+Inf"} 1
      uptime_check_response_time_seconds_sum{account="shop",check_id="12",name="Shop"} 0.092
      uptime_check_response_time_seconds_count{account="shop",check_id="12",name="Shop"} 1
      uptime_check_probe_results_total{account="shop",check_id="12",name="Shop",probe_country="SE"} 0
      uptime_check_probe_response_time_seconds_sum{account="shop",check_id="12",name="Shop",probe_country="SE"} 0
      uptime_check_probe_response_time_seconds_count{account="shop",check_id="12",name="Shop",probe_country="SE"} 0
    `,
  },
  {
    what: 'a root cause analysis',
    before: [shopIsListed, shopIsListedAgain],
    reading: {
      dataset: 'analyses',
      id: 12,
      replies: {
        'analysis/12': {
          analysis: [
            { id: 5, timefirsttest: noon + 10 * minute, timeconfirmtest: noon + 10 * minute + 4 },
          ],
        },
      },
    },
    lines: `
      uptime_check_analyses_total{account="shop",check_id="12",name="Shop"} 1
    `,
  },
  {
    what: 'the averages of a check over a day, a week and 30 days',
    before: [shopIsListed],
    reading: {
      dataset: 'average',
      id: 12,
      replies: {
        'summary.average/12': {
          summary: {
            responsetime: { from: noon - 86_400, to: noon, avgresponse: 117 },
            status: { totalup: 900, totaldown: 100, totalunknown: 50 },
          },
        },
        'summary.average/12?bycountry=true': {
          summary: {
            responsetime: {
              from: noon - 86_400,
              to: noon,
              avgresponse: [{ countryiso: 'SE', avgresponse: 80 }],
            },
          },
        },
      },
    },
    lines: `
      uptime_check_uptime_ratio{account="shop",check_id="12",name="Shop",window="24h"} 0.9
      uptime_check_uptime_ratio{account="shop",check_id="12",name="Shop",window="7d"} 0.9
      uptime_check_uptime_ratio{account="shop",check_id="12",name="Shop",window="30d"} 0.9
      uptime_check_average_response_time_seconds{account="shop",check_id="12",name="Shop",window="24h"} 0.117
      uptime_check_average_response_time_seconds{account="shop",check_id="12",name="Shop",window="7d"} 0.117
      uptime_check_average_response_time_seconds{account="shop",check_id="12",name="Shop",window="30d"} 0.117
      uptime_check_country_average_response_time_seconds{account="shop",check_id="12",name="Shop",probe_country="SE"} 0.08
    `,
  },
  {
    what: 'the last hour of a check',
    before: [shopIsListed],
    reading: {
      dataset: 'performance',
      id: 12,
      replies: {
        'summary.performance/12': {
          summary: {
            hours: [
              {
                starttime: noon - hour,
                avgresponse: 200,
                uptime: 3540,
                downtime: 60,
                unmonitored: 0,
              },
            ],
          },
        },
      },
    },
    lines: `
      uptime_check_hourly_average_response_time_seconds{account="shop",check_id="12",name="Shop"} 0.2
      uptime_check_hourly_uptime_seconds{account="shop",check_id="12",name="Shop"} 3540
      uptime_check_hourly_downtime_seconds{account="shop",check_id="12",name="Shop"} 60
      uptime_check_hourly_unmonitored_seconds{account="shop",check_id="12",name="Shop"} 0
      uptime_check_hourly_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767265200
    `,
  },
  {
    what: 'the response time of a check by hour of the day',
    before: [shopIsListed],
    reading: {
      dataset: 'hours_of_day',
      id: 12,
      replies: {
        'summary.hoursofday/12': {
          hoursofday: [
            { hour: 0, avgresponse: 94 },
            { hour: 23, avgresponse: 1004 },
          ],
        },
      },
    },
    lines: `
      uptime_check_hour_of_day_average_response_time_seconds{account="shop",check_id="12",name="Shop",hour="0"} 0.094
      uptime_check_hour_of_day_average_response_time_seconds{account="shop",check_id="12",name="Shop",hour="23"} 1.004
    `,
  },
  {
    what: 'the settings of a check',
    before: [shopIsListed],
    reading: {
      dataset: 'detail',
      id: 12,
      replies: {
        'checks/12': {
          check: {
            ...shop,
            type: { http: { url: '/', encryption: true, ssl_down_days_before: 7 } },
            responsetime_threshold: 30_000,
            userids: [5],
            teams: [{ id: 9, name: 'Operations' }],
            integrationids: [1, 2],
          },
        },
      },
    },
    lines: `
      uptime_check_response_time_threshold_seconds{account="shop",check_id="12",name="Shop"} 30
      uptime_check_certificate_warning_seconds{account="shop",check_id="12",name="Shop"} 604800
      uptime_check_notification_recipients{account="shop",check_id="12",name="Shop",recipient="user"} 1
      uptime_check_notification_recipients{account="shop",check_id="12",name="Shop",recipient="team"} 1
      uptime_check_notification_recipients{account="shop",check_id="12",name="Shop",recipient="integration"} 2
    `,
  },
  {
    what: 'the probes that tested a check',
    before: [shopIsListed],
    reading: {
      dataset: 'active_probes',
      id: 12,
      replies: { 'summary.probes/12': { probes: [257, 261] } },
    },
    lines: `
      uptime_check_active_probes{account="shop",check_id="12",name="Shop"} 2
    `,
  },
  {
    what: 'a transaction',
    before: [{ dataset: 'transactions', replies: { 'tms/check': { checks: [] } } }],
    reading: {
      dataset: 'transactions',
      replies: {
        'tms/check': {
          checks: [
            {
              ...order,
              region: 'us-west',
              created_at: noon - 86_400,
              modified_at: noon - 3_600,
              last_downtime_start: noon - 7_260,
              last_downtime_end: noon - 7_200,
              tags: [{ name: 'shop', type: 'u', count: '2' }],
            },
          ],
        },
        ...noReports,
      },
    },
    lines: `
      uptime_transactions{account="shop",status="successful"} 1
      uptime_transaction_info{account="shop",check_id="3",name="Order",kind="script",transaction_region="us-west",severity=""} 1
      uptime_transaction_tag_info{account="shop",check_id="3",name="Order",tag="shop"} 1
      uptime_transaction_up{account="shop",check_id="3",name="Order"} 1
      uptime_transaction_status{account="shop",check_id="3",name="Order",status="successful"} 1
      uptime_transaction_status{account="shop",check_id="3",name="Order",status="failing"} 0
      uptime_transaction_status{account="shop",check_id="3",name="Order",status="unknown"} 0
      uptime_transaction_active{account="shop",check_id="3",name="Order"} 1
      uptime_transaction_interval_seconds{account="shop",check_id="3",name="Order"} 600
      uptime_transaction_last_downtime_start_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767261540
      uptime_transaction_last_downtime_end_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767261600
      uptime_transaction_created_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767182400
      uptime_transaction_modified_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767265200
      uptime_transaction_state_seconds_total{account="shop",check_id="3",name="Order",state="up"} 0
      uptime_transaction_state_seconds_total{account="shop",check_id="3",name="Order",state="down"} 0
      uptime_transaction_state_seconds_total{account="shop",check_id="3",name="Order",state="unknown"} 0
      uptime_transaction_state_seconds_total{account="shop",check_id="3",name="Order",state="unmonitored"} 0
      uptime_transaction_outages_total{account="shop",check_id="3",name="Order"} 0
      uptime_transaction_objective_ratio{account="shop",check_id="3",name="Order"} 0.999
    `,
  },
  {
    what: 'a transaction that failed for ten minutes, and fails again at its second step',
    before: [youngOrderIsListed],
    reading: {
      dataset: 'transactions',
      after: hour,
      replies: {
        'tms/check': {
          checks: [{ ...youngOrder, status: 'failing', last_downtime_start: noon + 50 * minute }],
        },
        'tms/check/report/status': {
          report: [
            {
              check_id: 3,
              name: 'Order',
              states: [
                { status: 'up', from: '2026-01-01T12:00:00Z', to: '2026-01-01T12:30:00Z' },
                { status: 'down', from: '2026-01-01T12:30:00Z', to: '2026-01-01T12:40:00Z' },
                { status: 'up', from: '2026-01-01T12:40:00Z', to: '2026-01-01T12:50:00Z' },
                {
                  status: 'down',
                  from: '2026-01-01T12:50:00Z',
                  to: '2026-01-01T13:00:00Z',
                  error_in_step: 2,
                  message: 'Not found',
                },
              ],
            },
          ],
        },
      },
    },
    lines: `
      uptime_outages_open{account="shop",kind="transaction"} 1
      uptime_transactions{account="shop",status="successful"} 0
      uptime_transactions{account="shop",status="failing"} 1
      uptime_transaction_up{account="shop",check_id="3",name="Order"} 0
      uptime_transaction_status{account="shop",check_id="3",name="Order",status="successful"} 0
      uptime_transaction_status{account="shop",check_id="3",name="Order",status="failing"} 1
      uptime_transaction_last_downtime_start_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767271800
      uptime_transaction_state_seconds_total{account="shop",check_id="3",name="Order",state="up"} 2400
      uptime_transaction_state_seconds_total{account="shop",check_id="3",name="Order",state="down"} 900
      uptime_transaction_outages_total{account="shop",check_id="3",name="Order"} 2
      uptime_transaction_outage_open{account="shop",check_id="3",name="Order",importance="high"} 1
      uptime_transaction_outage_start_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767271800
      uptime_transaction_last_outage_start_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767270600
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="5m"} 1
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="30m"} 0.6666666666666666
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="1h"} 0.3333333333333333
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="2h"} 0.3333333333333333
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="6h"} 0.3333333333333333
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="1d"} 0.3333333333333333
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="3d"} 0.3333333333333333
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="7d"} 0.3333333333333333
      uptime_transaction_error_ratio{account="shop",check_id="3",name="Order",window="30d"} 0.3333333333333333
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="5m"} 1000
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="30m"} 666.6666666666666
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="1h"} 333.3333333333333
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="2h"} 333.3333333333333
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="6h"} 111.1111111111111
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="1d"} 27.777777777777775
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="3d"} 9.259259259259258
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="7d"} 3.968253968253968
      uptime_transaction_burn_rate{account="shop",check_id="3",name="Order",window="30d"} 0.9259259259259259
      uptime_transaction_error_budget_remaining_ratio{account="shop",check_id="3",name="Order"} -332.3333333333333
      uptime_transaction_failing_step{account="shop",check_id="3",name="Order"} 2
    `,
  },
  {
    what: 'a transaction whose third outage within an hour begins',
    before: [
      orderIsListed,
      orderIsFailing(10 * minute),
      orderHasRecovered(10 * minute, noon + 15 * minute),
      orderIsFailing(10 * minute, noon + 25 * minute),
      orderHasRecovered(10 * minute, noon + 35 * minute),
    ],
    reading: orderIsFailing(10 * minute, noon + 45 * minute),
    lines: `
      uptime_outages_open{account="shop",kind="transaction"} 1
      uptime_transactions{account="shop",status="successful"} 0
      uptime_transactions{account="shop",status="failing"} 1
      uptime_transaction_up{account="shop",check_id="3",name="Order"} 0
      uptime_transaction_status{account="shop",check_id="3",name="Order",status="successful"} 0
      uptime_transaction_status{account="shop",check_id="3",name="Order",status="failing"} 1
      uptime_transaction_last_downtime_start_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767271500
      uptime_transaction_outage_open{account="shop",check_id="3",name="Order",importance="high"} 1
      uptime_transaction_flapping{account="shop",check_id="3",name="Order",importance="high"} 1
      uptime_transaction_outage_start_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767271500
    `,
    withdrawn: `
      uptime_transaction_last_downtime_end_timestamp_seconds{account="shop",check_id="3",name="Order"}
    `,
  },
  {
    what: 'the last hour of a transaction and its steps',
    before: [orderIsReported],
    reading: {
      dataset: 'transaction_performance',
      id: 3,
      replies: {
        'tms/check/3/report/performance': {
          report: {
            check_id: 3,
            name: 'Order',
            resolution: 'hour',
            intervals: [
              {
                from: '2026-01-01T11:00:00Z',
                average_response: 1_500,
                uptime: 3540,
                downtime: 60,
                unmonitored: 0,
                steps: [
                  {
                    step: { fn: 'go_to', args: { url: 'https://shop.example.com' } },
                    average_response: 600,
                  },
                  { step: { fn: 'click', args: { element: 'Buy' } }, average_response: 900 },
                ],
              },
            ],
          },
        },
      },
    },
    lines: `
      uptime_transaction_hourly_average_response_time_seconds{account="shop",check_id="3",name="Order"} 1.5
      uptime_transaction_hourly_uptime_seconds{account="shop",check_id="3",name="Order"} 3540
      uptime_transaction_hourly_downtime_seconds{account="shop",check_id="3",name="Order"} 60
      uptime_transaction_hourly_unmonitored_seconds{account="shop",check_id="3",name="Order"} 0
      uptime_transaction_hourly_start_timestamp_seconds{account="shop",check_id="3",name="Order"} 1767265200
      uptime_transaction_step_average_response_time_seconds{account="shop",check_id="3",name="Order",step="1",fn="go_to"} 0.6
      uptime_transaction_step_average_response_time_seconds{account="shop",check_id="3",name="Order",step="2",fn="click"} 0.9
    `,
  },
  {
    what: 'a maintenance window that is in effect',
    before: [shopIsListed, orderIsListed],
    reading: backupIsPlanned,
    lines: `
      uptime_maintenance_window_info{account="shop",maintenance_id="8",description="Backup",recurrence="day"} 1
      uptime_maintenance_window_start_timestamp_seconds{account="shop",maintenance_id="8"} 1767268200
      uptime_maintenance_window_end_timestamp_seconds{account="shop",maintenance_id="8"} 1767269400
      uptime_maintenance_active{account="shop",maintenance_id="8"} 1
      uptime_check_in_maintenance{account="shop",check_id="12",name="Shop"} 1
      uptime_check_maintenance_end_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767269400
      uptime_check_next_maintenance_start_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767354600
      uptime_transaction_in_maintenance{account="shop",check_id="3",name="Order"} 1
    `,
  },
  {
    what: 'a check that was up during maintenance',
    before: [shopIsListed, backupIsPlanned],
    reading: {
      dataset: 'checks',
      after: 20 * minute,
      replies: checkList({ ...shop, lasttesttime: noon + 20 * minute }),
    },
    lines: `
      uptime_maintenance_window_start_timestamp_seconds{account="shop",maintenance_id="8"} 1767354600
      uptime_maintenance_window_end_timestamp_seconds{account="shop",maintenance_id="8"} 1767355800
      uptime_maintenance_active{account="shop",maintenance_id="8"} 0
      uptime_check_last_test_timestamp_seconds{account="shop",check_id="12",name="Shop"} 1767270000
      uptime_check_state_seconds_total{account="shop",check_id="12",name="Shop",state="up"} 1200
      uptime_check_maintenance_seconds_total{account="shop",check_id="12",name="Shop",state="up"} 0
      uptime_check_maintenance_seconds_total{account="shop",check_id="12",name="Shop",state="down"} 0
      uptime_check_maintenance_seconds_total{account="shop",check_id="12",name="Shop",state="unknown"} 0
      uptime_check_maintenance_seconds_total{account="shop",check_id="12",name="Shop",state="unmonitored"} 0
      uptime_check_in_maintenance{account="shop",check_id="12",name="Shop"} 0
    `,
    withdrawn: `
      uptime_check_maintenance_end_timestamp_seconds{account="shop",check_id="12",name="Shop"}
    `,
  },
  {
    what: 'the credits of the plan',
    reading: {
      dataset: 'credits',
      replies: {
        credits: {
          credits: {
            checklimit: 50,
            availablechecks: 13,
            useddefault: 35,
            usedtransaction: 2,
            availablesms: 90,
            availablesmstests: 5,
            autofillsms: true,
            autofillsms_amount: 100,
            autofillsms_when_left: 10,
            max_sms_overage: 20,
            availablerumsites: 4,
            usedrumsites: 1,
            maxrumfilters: 15,
            maxrumpageviews: 100_000,
          },
        },
      },
    },
    lines: `
      uptime_account_check_limit{account="shop"} 50
      uptime_account_checks_available{account="shop"} 13
      uptime_account_checks_used{account="shop",kind="default"} 35
      uptime_account_checks_used{account="shop",kind="transaction"} 2
      uptime_account_sms_available{account="shop"} 90
      uptime_account_sms_tests_available{account="shop"} 5
      uptime_account_sms_autofill_enabled{account="shop"} 1
      uptime_account_sms_autofill_amount{account="shop"} 100
      uptime_account_sms_autofill_threshold{account="shop"} 10
      uptime_account_sms_overage_limit{account="shop"} 20
      uptime_account_rum_sites_available{account="shop"} 4
      uptime_account_rum_sites_used{account="shop"} 1
      uptime_account_rum_filters_limit{account="shop"} 15
      uptime_account_rum_pageviews_limit{account="shop"} 100000
    `,
  },
  {
    what: 'a probe',
    reading: {
      dataset: 'probes',
      replies: {
        probes: {
          probes: [
            {
              id: 32,
              name: 'Stockholm 2',
              country: 'Sweden',
              countryiso: 'SE',
              city: 'Stockholm',
              region: 'EU',
              active: true,
              hostname: 's424.example.com',
              ip: '192.0.2.12',
            },
          ],
        },
      },
    },
    lines: `
      uptime_probe_info{account="shop",probe_id="32",probe="Stockholm 2",country="SE",city="Stockholm",probe_region="EU"} 1
      uptime_probes{account="shop",active="true"} 1
      uptime_probes{account="shop",active="false"} 0
    `,
  },
  {
    what: 'an alert that was sent, whose series begins with 0',
    before: [shopIsListed, shopIsListedAgain],
    reading: {
      dataset: 'actions',
      replies: {
        actions: {
          actions: {
            alerts: [
              {
                username: 'Ada',
                userid: 77,
                checkid: 12,
                time: noon + 10 * minute,
                via: 'sms',
                status: 'notdelivered',
                sentto: '+46 70 123 45 67',
              },
            ],
          },
        },
      },
    },
    lines: `
      uptime_alerts_sent_total{account="shop",check_id="12",name="Shop",via="sms",status="not_delivered"} 0
    `,
  },
  {
    what: 'a contact',
    reading: {
      dataset: 'contacts',
      replies: {
        'alerting/contacts': {
          contacts: [
            {
              id: 1,
              name: 'Ada',
              paused: false,
              type: 'user',
              owner: true,
              notification_targets: {
                email: [
                  { severity: 'HIGH', address: 'ada@example.com' },
                  { severity: 'LOW', address: 'ada@example.com' },
                ],
                sms: [{ severity: 'HIGH', country_code: '46', number: '701234567' }],
              },
            },
          ],
        },
      },
    },
    lines: `
      uptime_contacts{account="shop",contact_type="user",paused="true"} 0
      uptime_contacts{account="shop",contact_type="user",paused="false"} 1
      uptime_contacts{account="shop",contact_type="contact",paused="true"} 0
      uptime_contacts{account="shop",contact_type="contact",paused="false"} 0
      uptime_contact_targets{account="shop",medium="email",severity="high"} 1
      uptime_contact_targets{account="shop",medium="email",severity="low"} 1
      uptime_contact_targets{account="shop",medium="sms",severity="high"} 1
      uptime_contact_targets{account="shop",medium="sms",severity="low"} 0
      uptime_contact_targets{account="shop",medium="apns",severity="high"} 0
      uptime_contact_targets{account="shop",medium="apns",severity="low"} 0
      uptime_contact_targets{account="shop",medium="agcm",severity="high"} 0
      uptime_contact_targets{account="shop",medium="agcm",severity="low"} 0
      uptime_contact_targets{account="shop",medium="social",severity="high"} 0
      uptime_contact_targets{account="shop",medium="social",severity="low"} 0
      uptime_contact_targets{account="shop",medium="pusha",severity="high"} 0
      uptime_contact_targets{account="shop",medium="pusha",severity="low"} 0
      uptime_contact_targets{account="shop",medium="pushb",severity="high"} 0
      uptime_contact_targets{account="shop",medium="pushb",severity="low"} 0
    `,
  },
  {
    what: 'a team',
    reading: {
      dataset: 'teams',
      replies: {
        'alerting/teams': {
          teams: [{ id: 9, name: 'Operations', members: [{ id: 1, name: 'Ada', type: 'user' }] }],
        },
      },
    },
    lines: `
      uptime_teams{account="shop"} 1
      uptime_team_members{account="shop",team_id="9",team_name="Operations"} 1
    `,
  },
  {
    what: 'the clock and the reports of an account of version 2.1',
    version: '2.1',
    reading: {
      dataset: 'account',
      replies: {
        servertime: { servertime: noon + 2 },
        'reports.email': { subscriptions: [{ id: 1, name: 'Weekly', frequency: 'weekly' }] },
        'reports.public': {
          public: [{ checkid: 12, checkname: 'Shop', reporturl: 'https://example.com/r' }],
        },
        'reports.shared': {
          shared: { banners: [{ id: '7', checkid: 12, name: 'Banner', type: 'uptime' }] },
        },
      },
    },
    lines: `
      uptime_account_clock_offset_seconds{account="shop"} 2
      uptime_email_reports{account="shop",frequency="daily"} 0
      uptime_email_reports{account="shop",frequency="weekly"} 1
      uptime_email_reports{account="shop",frequency="monthly"} 0
      uptime_email_reports{account="shop",frequency="unknown"} 0
      uptime_public_reports{account="shop"} 1
      uptime_shared_reports{account="shop"} 1
    `,
  },
];

test.each(rows)('$what', async ({ version, before = [], reading, lines, withdrawn = '' }) => {
  const account = watchedAccount(version);
  for (const earlier of before) await account.read(earlier);
  const former = await account.lines();
  await account.read(reading);
  const current = await account.lines();

  expect(current.filter((line) => !former.includes(line))).toEqual(linesOf(lines));
  const series = new Set(current.map(seriesOf));
  expect(former.map(seriesOf).filter((name) => !series.has(name))).toEqual(linesOf(withdrawn));
});

test('every dataset and every family of the catalogue has its place in the table', () => {
  const datasets = new Set(
    rows.flatMap(({ before = [], reading }) => [...before, reading]).map(({ dataset }) => dataset),
  );
  expect([...datasets].sort()).toEqual(datasetNames.toSorted());

  const shown = new Set(rows.flatMap(({ lines }) => lines.match(/uptime_\w+/g) ?? []));
  const families = [...accountFamilies, ...checkFamilies, ...transactionFamilies];
  const missing = families
    .map(({ name, type }) => (type === 'histogram' || type === 'summary' ? `${name}_count` : name))
    .filter((name) => !shown.has(name));
  expect(missing).toEqual([]);
});

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function seriesOf(line: string): string {
  return line.slice(0, line.lastIndexOf(' '));
}

/** An account whose service responds to each refresh with the given responses. */
function watchedAccount(version: ApiVersion = '3.1') {
  const clock = new VirtualClock(noon * 1000);
  const baseUrl = 'https://api.example.com';
  let replies: Reading['replies'] = {};
  const service = createService(version, {
    baseUrl,
    get: ({ path, query = {} }) => {
      const byCountry = Object.hasOwn(query, 'bycountry') ? '?bycountry=true' : '';
      const reply = replies[`${path}${byCountry}`];
      return reply === undefined
        ? Promise.reject(new Error(`no reply for ${path}${byCountry}`))
        : Promise.resolve(reply);
    },
  });
  const responseTimeBounds = [0.1, 1];
  const slo = sloPolicyOf({}, { from_tags: ['team:*'] });
  const state = shopState({
    apiVersion: version,
    baseUrl,
    clock,
    responseTimeBounds,
    policies: { ...defaultPolicies(), slo },
  });
  const refreshes = createRefreshes({
    ...refreshWires(clock),
    ...{ service, state, clock, responseTimeBounds, byCountry: true },
  });
  state.datasets.planned(new Map([...refreshes.keys()].map((dataset) => [dataset, hour])));
  return {
    async read({ dataset, id = 0, after = 0, ...reading }: Reading): Promise<void> {
      await clock.advance(after * 1000);
      replies = reading.replies;
      await refreshes.get(dataset)?.(id, new AbortController().signal);
      state.succeeded(dataset, 1);
    },
    async lines(): Promise<readonly string[]> {
      const text = plainText(await freshPage(state.snapshot()), 'text');
      return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    },
  };
}
