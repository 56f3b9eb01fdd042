import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  heartbeatReceiver,
  type Received,
  type RuleChange,
  type RuleEvaluator,
} from '../support/chain-programs.ts';
import { VirtualChain } from '../support/virtual-chain.ts';
import { newsOf, outagesNeverReported } from './chain-news.ts';
import type { Script } from './chain-scripts.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'alerting.md');
const minute = 60_000;

/** What a script has led to. */
export interface Played {
  /** The messages as in chain-messages.ts: the minutes since the first event, receiver, changes. */
  messages(evaluator: RuleEvaluator, changed?: RuleChange): Promise<readonly string[]>;
  /** The messages themselves. */
  received(evaluator: RuleEvaluator): Promise<readonly Received[]>;
  /** The minutes, since the first event, in which the heartbeat arrived. */
  heartbeats(evaluator: RuleEvaluator): Promise<readonly number[]>;
}

export async function playScript({
  configuration = { file: 'prometheus.yaml' },
  minutes,
  prepare,
}: Script): Promise<Played> {
  const chain = await VirtualChain.create(configuration);
  const origin = chain.clock.now();
  const steps = await prepare(chain);
  for (let passed = 0; passed < minutes; passed++) {
    await steps[passed]?.();
    await chain.pass(1);
  }
  const first = origin + minute * Math.min(...Object.keys(steps).map(Number));
  const minuteOf = (at: number) => Math.floor((at - first) / minute);
  const received = async (evaluator: RuleEvaluator) => (await chain.ended(evaluator)).received;
  return {
    received,
    heartbeats: async (evaluator) => {
      const messages = await received(evaluator);
      return messages
        .filter(({ receiver }) => receiver === heartbeatReceiver)
        .map(({ at }) => minuteOf(at));
    },
    messages: async (evaluator, changed) => {
      const { sent, received: messages } = await chain.ended(evaluator, changed);
      const news = [...newsOf(messages), ...outagesNeverReported(sent, messages)].map(
        ({ at, words }) => ({ at: minuteOf(at), words }),
      );
      // Messages of one moment have no order.
      return news
        .sort((a, b) => a.at - b.at || (a.words < b.words ? -1 : 1))
        .map(({ at, words }) => `${at} ${words}`);
    },
  };
}

/** The table in docs/alerting.md: the messages of some scripts. */
export function documentedMessages(): { readonly [script: string]: readonly string[] } {
  const [, after = ''] = readFileSync(page, 'utf8').split('| What happens | Messages |\n');
  const [table = ''] = after.split('\n\n');
  const rows = table.matchAll(/^\| (?<what>[^|-]+?) \| (?<list>[^|]+?) \|$/gm);
  return Object.fromEntries(
    [...rows].map(({ groups }) => [
      groups?.what ?? '',
      [...(groups?.list ?? '').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
    ]),
  );
}
