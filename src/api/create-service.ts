import type { ApiVersion } from '../domain/api-version.ts';
import type { MonitoringService } from './service.ts';
import { createServiceV20 } from './service-v20.ts';
import { createServiceV21 } from './service-v21.ts';
import { createServiceV31, type ServiceOptions } from './service-v31.ts';

/** The transport reads below `/api/{version}`. What concerns transactions has no effect on 2.x. */
export interface CreateServiceOptions extends ServiceOptions {
  readonly version: ApiVersion;
}

/** The service in the version that an account is configured for. */
export function createService({ version, ...options }: CreateServiceOptions): MonitoringService {
  switch (version) {
    case '3.1':
      return createServiceV31(options);
    case '2.1':
      return createServiceV21(options);
    case '2.0':
      return createServiceV20(options);
  }
}
