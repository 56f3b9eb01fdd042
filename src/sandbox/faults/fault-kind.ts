import type { Reply, ServerExchange } from '../server/exchange.ts';

/** A way to answer wrongly. It depends on nothing but the exchange and the proper reply. */
export interface FaultKind {
  /** One sentence for the operator who chooses it. */
  readonly description: string;
  /** The faulty answer costs the account nothing; any other counts like a good one. */
  readonly sparesBudget?: true;
  /** Answers, or fails to; `reply` is what the service would have said. */
  act(exchange: ServerExchange, reply: Reply): Promise<void> | void;
}
