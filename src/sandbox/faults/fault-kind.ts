import type { Reply, ServerExchange } from '../server/exchange.ts';

/** One kind of wrong response. It depends only on the exchange and the correct response. */
export interface FaultKind {
  /** One sentence for the operator who chooses it. */
  readonly description: string;
  /** The faulty answer costs the account nothing; any other counts like a good one. */
  readonly sparesBudget?: true;
  /** Sends a response, or fails to; `reply` is the correct response. */
  act(exchange: ServerExchange, reply: Reply): Promise<void> | void;
}
