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
import { commonVariables, datasource } from './variables.ts';

export interface Board {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
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
    .time({ from: 'now-6h', to: 'now' })
    .refresh('1m')
    .timezone('browser')
    .variables([...commonVariables(), ...(more.variables ?? [])])
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
export function mark(name: string, expr: string, title: string, iconColor: string) {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(datasource)
    .enable(true)
    .expr(expr)
    .titleFormat(title)
    .iconColor(iconColor);
}

export function outagesAndMaintenance(of: (name: string, more?: string) => string, kind: string) {
  return [
    mark('Outages', `${of(`uptime_${kind}_up`)} == 0`, '{{name}} is down', colours.bad),
    mark(
      'Maintenance',
      `${of(`uptime_${kind}_in_maintenance`)} == 1`,
      '{{name}} is in maintenance',
      colours.maintenance,
    ),
  ];
}
