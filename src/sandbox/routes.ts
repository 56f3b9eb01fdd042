import { type ApiVersion, apiVersions } from '../domain/api-version.ts';
import type { Operation } from './operation.ts';

/** The operations of one version that share a path. */
export interface Route {
  readonly version: ApiVersion;
  /** From the root, such as `/api/3.1/checks/:checkid`. */
  readonly path: string;
  readonly operations: readonly Operation[];
}

export function routesOf(operations: readonly Operation[]): Route[] {
  return apiVersions.flatMap((version) => {
    const ofVersion = operations.filter(({ versions }) => versions.includes(version));
    const paths = new Set(ofVersion.map(({ path }) => path));
    return [...paths].map((path) => ({
      version,
      path: `/api/${version}${path}`,
      operations: ofVersion.filter((operation) => operation.path === path),
    }));
  });
}
