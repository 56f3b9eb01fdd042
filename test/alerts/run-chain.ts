import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AlertChain, type ChainServers } from '../support/alert-chain.ts';
import type { ChainScenario, PreparedScenario } from './chain-scenarios.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'alerting.md');
/**
 * The time in which every exporter reads its account before the first event. All of them read most
 * in the first minutes, so Prometheus starts after these: no scrape shall wait for their work.
 */
const quietMinutes = { unwatched: 2, watched: 3 };

/**
 * Four alerts compare the service's clock with that of Prometheus, and the two differ here. The
 * others are about the sandbox's unknown check and its slow ones.
 */
export const leftOut = {
  UptimeCheckUnknown: { enabled: false },
  UptimeCheckSlow: { enabled: false },
  UptimeCheckWasDown: { enabled: false },
  UptimeTransactionWasFailing: { enabled: false },
  UptimeExporterApiBudgetExhaustionPredicted: { enabled: false },
  UptimeCheckPausedTooLong: { enabled: false },
};

export interface ScenarioResult {
  readonly name: string;
  readonly messages: readonly string[];
  /** With minutes and texts, to examine a failure. */
  readonly story: string;
}

/** Runs all scenarios at the same time, each with its own account. */
export async function runScenarios(
  scenarios: readonly ChainScenario[],
  { divisor, servers }: { readonly divisor: number; readonly servers: ChainServers },
): Promise<readonly ScenarioResult[]> {
  const chain = await AlertChain.create(divisor, servers);
  const prepared: (ChainScenario & PreparedScenario)[] = [];
  for (const [at, scenario] of scenarios.entries()) {
    prepared.push({ ...scenario, ...(await scenario.prepare(chain, `${at}`)) });
  }
  await chain.pass(quietMinutes.unwatched);
  await chain.start({ alerts: leftOut });
  await chain.pass(quietMinutes.watched);
  const begin = chain.minute;
  const last = Math.max(...prepared.map(({ minutes }) => minutes));
  for (let minute = 0; minute <= last; minute++) {
    for (const { steps } of prepared) await steps[minute]?.(chain);
    await chain.pass(1);
  }
  return prepared.map(({ name, owners, minutes }) => {
    const own = chain.messages.filter(
      (one) => owners.includes(one.account) && one.minute <= begin + minutes,
    );
    return {
      name,
      messages: own.map(({ words }) => words).filter((words) => !words.endsWith(': again')),
      story: [
        `The service fell behind Prometheus by ${chain.lateSeconds} s in ${chain.minute} min.`,
        ...own.map(
          ({ minute, words, texts }) => `${minute - begin} ${words}\n  ${texts.join('\n  ')}`,
        ),
      ].join('\n'),
    };
  });
}

/** The table in the documentation: the messages of each event. */
export function documentedMessages(): ReadonlyMap<string, readonly string[]> {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| (?<what>[^|]+?) \| (?<list>[^|]+?) \|$/gm);
  return new Map(
    [...rows].map(({ groups }) => [
      groups?.what ?? '',
      [...(groups?.list ?? '').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
    ]),
  );
}

/**
 * Joins, for each receiver, all firing alerts into one message and all resolved ones into another.
 */
export function merged(messages: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const [receiver = '', ...words] = message.split(/:? /);
    for (const [at, word] of words.entries()) {
      if (word.startsWith('×')) continue;
      const [, times = '1'] = /^×(\d+)$/.exec(words[at + 1] ?? '') ?? [];
      const key = `${receiver}: ${word}`;
      counts.set(key, (counts.get(key) ?? 0) + Number(times));
    }
  }
  return [...counts].map(([key, count]) => (count === 1 ? key : `${key} ×${count}`)).sort();
}
