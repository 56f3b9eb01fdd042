import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  type Panel,
  RowBuilder,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { Of } from './selectors.ts';
import { trustPanel } from './trust.ts';
import { commonVariables, rootVariable } from './variables.ts';

export interface Board {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** The start of the time range when the board is opened. */
  readonly time?: string;
  readonly variables?: readonly Builder<VariableModel>[];
  /** What its first line is about; all chosen accounts by default. */
  readonly of?: Of;
  /** Panels by heading; those under the empty heading come first. */
  readonly rows: Readonly<Record<string, readonly Builder<Panel>[]>>;
  /** Rows that are collapsed at first, because most readers or accounts do not need them. */
  readonly closed?: Readonly<Record<string, readonly Builder<Panel>[]>>;
}

/** All boards by their uid, which is part of their address. */
const boards = {
  'uptime-overview': 'Overview',
  'uptime-check': 'Check',
  'uptime-slo': 'Objectives',
  'uptime-exporter': 'Account and exporter',
} as const;

/** Links to all other boards, shown above the panels. */
const linksTo = (uid: string) =>
  Object.entries(boards)
    .filter(([of]) => of !== uid)
    .map(([of, title]) =>
      new DashboardLinkBuilder(title)
        .type(DashboardLinkType.Link)
        .url(`/d/${of}`)
        .includeVars(true)
        .keepTime(true),
    );

/** Builds the JSON that Grafana imports. */
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
    .variables([...commonVariables(), ...(more.variables ?? []), rootVariable()])
    .links(linksTo(uid))
    .withPanel(trustPanel(more.of));
  for (const [heading, panels] of Object.entries(rows)) {
    if (heading !== '') board.withRow(new RowBuilder(heading));
    for (const panel of panels) board.withPanel(panel);
  }
  for (const [heading, panels] of Object.entries(more.closed ?? {})) {
    const row = new RowBuilder(heading);
    for (const panel of panels) row.withPanel(panel);
    board.withRow(row);
  }
  const built = board.build();
  const all = (built.panels ?? []).flatMap((one) =>
    one.type === 'row' && 'panels' in one ? [one, ...one.panels] : [one],
  );
  all.forEach((panel, at) => {
    panel.id = at + 1;
  });
  return built;
}
