import type { Reply, ServerExchange } from '../server/exchange.ts';

/** One kind of wrong response. It depends only on the exchange and the correct response. */
export interface FaultKind {
  /** One sentence for the operator who chooses it. */
  readonly description: string;
  /**
   * Whether the faulty response costs the account nothing; otherwise it counts as a correct one.
   */
  readonly sparesBudget?: true;
  /** Sends a response, or fails to; `reply` is the correct response. */
  act(exchange: ServerExchange, reply: Reply): Promise<void> | void;
}
