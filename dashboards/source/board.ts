import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  type Panel,
  RowBuilder,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';
import { each, eachAccount, ofAccount, ofExporter } from './selectors.ts';
import { commonVariables, datasource, exporterVariable } from './variables.ts';

export interface Board {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Where the chosen time begins at first. */
  readonly time?: string;
  readonly variables?: readonly Builder<VariableModel>[];
  readonly annotations?: readonly Builder<ReturnType<AnnotationQueryBuilder['build']>>[];
  /** Panels under their headings. */
  readonly rows: Readonly<Record<string, readonly Builder<Panel>[]>>;
}

/** As Grafana imports it. */
export function build({ uid, title, description, rows, ...more }: Board): Dashboard {
  const board = new DashboardBuilder(`Uptime / ${title}`)
    .uid(uid)
    .description(description)
    .tags(['uptime'])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: more.time ?? 'now-6h', to: 'now' })
    .refresh('1m')
    .timezone('browser')
    .variables([...commonVariables(), ...(more.variables ?? []), exporterVariable()])
    .link(
      new DashboardLinkBuilder('Uptime')
        .type(DashboardLinkType.Dashboards)
        .tags(['uptime'])
        .asDropdown(true)
        .includeVars(true)
        .keepTime(true),
    );
  for (const annotation of more.annotations ?? []) board.annotation(annotation);
  for (const [heading, panels] of Object.entries(rows)) {
    board.withRow(new RowBuilder(heading));
    for (const panel of panels) board.withPanel(panel);
  }
  const built = board.build();
  built.panels?.forEach((panel, at) => {
    panel.id = at + 1;
  });
  return built;
}

/** Marks the time in which `expr` has a value. */
function mark(name: string, expr: string, title: string, iconColor: string, shown: boolean) {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(datasource)
    .enable(shown)
    .expr(expr)
    .titleFormat(title)
    .iconColor(iconColor);
}

/** Outages and maintenance; on boards of many checks they start switched off. */
export function outagesAndMaintenance(
  of: (name: string, more?: string) => string,
  kind: string,
  shown: boolean,
) {
  return [
    mark(
      'Outages',
      `${each(of(`uptime_${kind}_outage_open`))} == 1`,
      '{{name}} is down',
      colours.bad,
      shown,
    ),
    mark(
      'Maintenance',
      `${each(of(`uptime_${kind}_in_maintenance`))} == 1`,
      '{{name}} is in maintenance',
      colours.maintenance,
      shown,
    ),
  ];
}

/** Times in which the exporter could not read an account, and its restarts. */
export function blindTimes() {
  return [
    mark(
      'Blind',
      `${eachAccount(ofAccount('uptime_up'))} == 0`,
      'The check list of {{account}} cannot be read',
      colours.neutral,
      true,
    ),
    mark(
      'Restarts',
      `changes(${ofExporter('process_start_time_seconds')}[$__rate_interval]) > 0`,
      'The exporter started',
      colours.neutral,
      false,
    ),
  ];
}
