import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type RunResult, runAccount } from './budget/account-run.ts';
import { budgetReport } from './budget/budget-report.ts';
import { limitCaseReport, runLimitCases } from './budget/limit-cases.ts';

/**
 * Runs the budget, the plan and the agenda for 30 virtual days. Accounts of four sizes have a small
 * and a large budget, another client that takes a tenth, incidents, and one restart a day. Then
 * runs accounts whose limits shrink or are wrong once.
 *
 * Usage: node budget.js [result.json]
 */
const sizes = [20, 200, 2000, 25_000];
const budgets = [
  { short: 400, long: 72_000 },
  { short: 11_600, long: 2_088_000 },
];

const results: RunResult[] = [];
for (const limits of budgets) {
  for (const checks of sizes) {
    const result = runAccount(checks, limits);
    results.push(result);
    process.stdout.write(`${budgetReport(result)}\n\n`);
  }
}
const limitCases = runLimitCases();
for (const result of limitCases) process.stdout.write(`${limitCaseReport(result)}\n`);
const path = process.argv[2] ?? 'dist-bench/budget.json';
mkdirSync(dirname(path), { recursive: true });
writeFileSync(
  path,
  `${JSON.stringify({ node: process.version, results, limitCases }, undefined, 2)}\n`,
);
