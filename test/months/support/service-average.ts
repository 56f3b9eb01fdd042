import request from 'supertest';
import type { Sandbox } from '../../../sandbox/src/sandbox.ts';
import { sandboxToken } from '../../support/sandbox-exporter.ts';

/** UNIX seconds. */
interface Range {
  readonly from: number;
  readonly to: number;
}

export interface ServiceAverage {
  readonly up: number;
  readonly down: number;
  readonly unknown: number;
}

/** The sums that the service itself reports of a check, which know no maintenance. */
export async function serviceAverage(
  { app }: Pick<Sandbox, 'app'>,
  id: number,
  { from, to }: Range,
): Promise<ServiceAverage> {
  for (let attempts = 0; attempts < 20; attempts++) {
    const { status, body } = await request(app)
      .get(`/api/3.1/summary.average/${id}?from=${from}&to=${to}&includeuptime=true`)
      .set('Authorization', `Bearer ${sandboxToken}`);
    // The wire of a seed may refuse a request now and then.
    if (status === 200) {
      const { totalup: up, totaldown: down, totalunknown: unknown } = body.summary.status;
      return { up: Number(up), down: Number(down), unknown: Number(unknown) };
    }
  }
  throw new Error(`the service does not report averages of ${id}`);
}
