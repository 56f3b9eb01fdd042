import type { Request, Response } from 'express';
import { type Clock, type ReadableClock, unixSeconds } from '../../lib/clock.ts';
import { present } from '../../lib/present.ts';
import type { AssetPaths } from '../assets.ts';
import type { ConfigurationSource, StatusSource, StorageSource, ViewLinks } from '../ports.ts';
import type { Site } from './layout.tsx';
import { elsewhereOf } from './query.ts';

/** The accounts that a page, or its data as JSON, shows, and the clock of its ages. */
export interface StatusAndClock {
  readonly status: StatusSource;
  readonly clock: ReadableClock;
}

/** The sources and settings of the pages, and of their data as JSON. */
export interface PageOptions extends StatusAndClock {
  readonly version: string;
  readonly clock: Clock;
  /** Absent when there is no configuration to reload. */
  readonly configuration?: ConfigurationSource;
  /** Absent when nothing is stored. */
  readonly storage?: StorageSource;
  /** The path of the metrics; begins with a slash. At `/` the metrics replace the status page. */
  readonly telemetryPath: string;
  /** The configured links of the views to other sites. */
  readonly links?: () => ViewLinks;
}

/**
 * What a view needs at a depth of its path below the root. `status` are the accounts that it shows, if
 * the view has taken them itself.
 */
export type SiteAt = (depth: number, status?: StatusSource) => Site;

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

export function siteAt(
  options: PageOptions,
  assets: AssetPaths,
  depth: number,
): Omit<Site, 'pages'> {
  const { status, version, telemetryPath, clock, configuration, links = () => ({}) } = options;
  const accounts = status.accounts();
  const lists = accounts.flatMap(({ list }) => list ?? []);
  const names = accounts.map(({ snapshot }) => snapshot.account);
  const others = elsewhereOf(names, status).length;
  return {
    root: depth === 0 ? './' : '../'.repeat(depth),
    assets,
    version,
    telemetryPath,
    hasConfiguration: configuration !== undefined,
    links: links(),
    nowSeconds: unixSeconds(clock),
    ...(others > 0 && { accounts: { shown: accounts.length, all: accounts.length + others } }),
    ...present({ list: lists.toSorted((a, b) => b.ageSeconds - a.ageSeconds)[0] }),
  };
}
