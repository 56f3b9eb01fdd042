import type { JsonResponse, ServerExchange } from '../server/exchange.ts';

/** One kind of wrong response. It depends only on the exchange and the correct response. */
export interface FaultKind {
  /** One sentence for the operator who chooses it. */
  readonly description: string;
  /**
   * Whether the faulty response costs the account nothing; otherwise it counts as a correct one.
   */
  readonly sparesBudget?: true;
  /** Sends a response, or fails to; `planned` is the response without the fault. */
  act(exchange: ServerExchange, planned: JsonResponse): Promise<void> | void;
}
