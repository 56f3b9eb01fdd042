import { accountCredentials } from '../../src/api/http/authentication.ts';
import type { MonitoringService } from '../../src/api/service.ts';
import { createService } from '../../src/api/versions.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { type ReceivedRequest, type Responder, ResponseServer } from './response-server.ts';
import { TransportBench } from './transport-bench.ts';

const authentication = accountCredentials({
  email: 'me@example.com',
  password: new Secret('pass word'),
  appKey: new Secret('zoent8w9cbt810rsdkweir23vcxb87zrt5541'),
  accountEmail: 'acme@example.com',
});

/** The client of one version over real HTTP, with a server whose responses the test defines. */
export class LegacyBench {
  readonly service: MonitoringService;
  readonly #server: ResponseServer;
  readonly #bench: TransportBench;

  private constructor(version: ApiVersion, server: ResponseServer) {
    this.#server = server;
    this.#bench = new TransportBench({
      baseUrl: server.url,
      version,
      authentication,
      scrubber: new Scrubber(authentication.secrets),
    });
    this.service = createService(version, this.#bench.transport);
  }

  static async start(version: ApiVersion, respond: Responder): Promise<LegacyBench> {
    return new LegacyBench(version, await ResponseServer.start(respond));
  }

  /** The requests, in order. */
  get requests(): { path: string; query: Record<string, string>; request: ReceivedRequest }[] {
    return this.#server.requests.map((request) => {
      const { pathname, searchParams } = new URL(request.target, this.#server.url);
      return { path: pathname, query: Object.fromEntries(searchParams), request };
    });
  }

  /** Operation and outcome of every request, as the metrics have them. */
  get exchanges(): string[] {
    return this.#bench.exchanges.map(({ operation, code }) => `${operation} ${code}`);
  }
}
