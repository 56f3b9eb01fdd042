import type { ApiVersion } from '../domain/api-version.ts';
import { ApiError } from './errors.ts';
import { type MethodOf, operationNames, operations, operationsOf } from './operation-names.ts';
import type { MonitoringService, ServiceOperations } from './service.ts';

export interface DialectOptions<V extends ApiVersion> {
  readonly version: V;
  readonly baseUrl: string;
  /** Exactly the operations that the version has. */
  readonly methods: Pick<ServiceOperations, MethodOf<V>>;
}

/** The service in one version: its operations, and a refusal in place of each that it lacks. */
export function createDialect<V extends ApiVersion>({
  version,
  baseUrl,
  methods,
}: DialectOptions<V>): MonitoringService {
  const capabilities = operationsOf(version);
  const refusals = operationNames
    .filter((operation) => !capabilities.has(operation))
    .map((operation) => [operations[operation].method, refusing(operation, version)]);
  return {
    ...(Object.fromEntries(refusals) as ServiceOperations),
    ...methods,
    version,
    baseUrl,
    capabilities,
  };
}

function refusing(operation: string, version: ApiVersion): () => Promise<never> {
  return async () => {
    const message = `API ${version} has no such operation`;
    throw new ApiError({ reason: 'unsupported', operation, message });
  };
}
