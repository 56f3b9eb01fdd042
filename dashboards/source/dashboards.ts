import { type Board, build } from './board.ts';
import { checkDetail } from './check-detail.ts';
import { exporter } from './exporter.ts';
import { overview } from './overview.ts';
import { sloBoard } from './slo-board.ts';

const boards: Readonly<Record<string, Board>> = {
  overview,
  check: checkDetail,
  slo: sloBoard,
  exporter,
};

/** The builder writes it into every link, and Grafana then hides the links behind a menu. */
const withoutMenu = (key: string, value: unknown) =>
  key === 'placement' && value === 'inControlsMenu' ? undefined : value;

/** The generated files by their path in the repository. */
export function generatedDashboards(): Map<string, string> {
  return new Map(
    Object.entries(boards).map(([name, board]) => [
      `dashboards/${name}.json`,
      `${JSON.stringify(build(board), withoutMenu, 2)}\n`,
    ]),
  );
}
