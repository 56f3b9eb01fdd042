import type { AssetPaths } from '../assets.ts';
import type { PageLinks } from '../ports.ts';

/** What every page needs besides its subject. */
export interface Site {
  /** The way from the page to the root of the exporter, such as `./` or `../../../`: pages work below any prefix. */
  readonly root: string;
  readonly assets: AssetPaths;
  readonly version: string;
  /** Begins with a slash. */
  readonly telemetryPath: string;
  readonly hasConfiguration: boolean;
  readonly links: PageLinks;
  /** UNIX seconds by the clock of this machine. */
  readonly nowSeconds: number;
}

/** A link to a path of the exporter, which has no slash at the beginning. */
export function hrefTo({ root }: Pick<Site, 'root'>, path: string): string {
  return `${root}${path}`;
}
