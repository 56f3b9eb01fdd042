import { UsageError } from '../../config/problems.ts';
import {
  HttpResponseError,
  RetryingClient,
  type RetryingClientOptions,
} from '../../remote/retrying-client.ts';

const headers = {
  'Content-Type': 'application/x-protobuf',
  'Content-Encoding': 'snappy',
  'X-Prometheus-Remote-Write-Version': '0.1.0',
};

const oldSamples = /too old|too far|out.of.order|out of bounds/i;
const noReceiver = /remote.write.receiver/i;

interface RemoteWriteOptions
  extends Omit<RetryingClientOptions, 'server' | 'authFlag' | 'isFinal'> {
  /** The age of the oldest sample in days. */
  readonly days: number;
}

/** A server that accepts samples by Prometheus remote write 1.0. */
export class RemoteWrite {
  readonly #client: RetryingClient;
  readonly #days: number;

  constructor({ days, ...options }: RemoteWriteOptions) {
    this.#days = days;
    this.#client = new RetryingClient({
      ...options,
      server: 'the server of --remote-write',
      authFlag: '--remote-write-auth-file',
      // Some servers respond to old samples with 500.
      isFinal: (text) => oldSamples.test(text),
    });
  }

  /** Resolves when the samples are accepted, or rejects with the server's message and a remedy. */
  async send(request: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const response = await this.#client.send('POST', '', { headers, body: request });
      await response.arrayBuffer();
    } catch (error) {
      if (!(error instanceof HttpResponseError)) throw error;
      const advice = this.#adviceFor(error);
      throw advice === undefined ? error : new UsageError(`${error.message}\n${advice}`);
    }
  }

  #adviceFor({ status, message }: HttpResponseError): string | undefined {
    if (oldSamples.test(message)) {
      const days = `${this.#days}d`;
      return [
        'The server does not take samples of that age. Set these for it, and run the same command again:',
        `  Prometheus: storage.tsdb.out_of_order_time_window: ${days} in the configuration file, and --storage.tsdb.retention.time longer than that`,
        `  Mimir: limits.out_of_order_time_window: ${days}`,
        'Set the window back afterwards.',
      ].join('\n');
    }
    if (status === 404 && noReceiver.test(message)) {
      return 'Start Prometheus with --web.enable-remote-write-receiver, and run the same command again.';
    }
    if (status === 404 || status === 405) {
      return 'The address needs the path of remote write, such as http://localhost:9090/api/v1/write (Prometheus), http://localhost:8428/api/v1/write (VictoriaMetrics) or https://mimir.example.com/api/v1/push (Mimir).';
    }
    return undefined;
  }
}
