import type { DatasetName } from '../domain/dataset.ts';

/** What the plan grants one dataset. */
export interface PlannedDataset {
  readonly name: DatasetName;
  readonly items: number;
  /** Requests per refresh of one item. */
  readonly cost: number;
  readonly status: boolean;
  /** Each item is refreshed this often; Infinity when there is nothing to spend. */
  readonly intervalSeconds: number;
  readonly requestsPerSecond: number;
  /** The interval is longer than the dataset can bear and still be useful. */
  readonly overCeiling: boolean;
  /** Requests per hour that are missing to keep the ceiling. */
  readonly missingPerHour: number;
}
