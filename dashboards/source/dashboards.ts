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

/** The generated files by their path in the repository. */
export function generatedDashboards(): Map<string, string> {
  return new Map(
    Object.entries(boards).map(([name, board]) => [
      `dashboards/${name}.json`,
      `${JSON.stringify(build(board), null, 2)}\n`,
    ]),
  );
}
