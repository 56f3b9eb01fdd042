import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sandbox/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const flag = /(?<![\w-])--[a-z][\w.-]*\w/g;

/** The flags of each command, as its help lists them. */
async function flagsByCommand(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { output: overview } = await runCommandLine(['--help']);
  const [, list = ''] = overview.split('Commands:');
  const commands = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  const entries = commands.map(async (command) => {
    const { output } = await runCommandLine([command, '--help']);
    return [command, new Set(output.match(flag))] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Blocks and spans of code; a command that goes on after a backslash is one line. */
function codeOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/\\\n\s*/g, ' ');
  return text.match(/^ {4,}.*$|`[^`\n]+`/gm) ?? [];
}

/** The command of this program in a line of code, and the flags that the line gives it. */
function usesOf(
  code: string,
  commands: ReadonlyMap<string, unknown>,
): readonly { readonly command: string; readonly flag: string }[] {
  const program =
    /^[ `]*(?:npx )?(?:uptime-exporter|node dist\/main\.js|npm start --)((?: [^|;&>#`]+)?)/g;
  return [...code.matchAll(program)].flatMap(([, line = '']) => {
    const [first = ''] = line.trim().split(' ');
    const command = commands.has(first) ? first : 'serve';
    return (line.match(flag) ?? []).map((name) => ({ command, flag: name }));
  });
}

test('the help explains the variables in one column', async () => {
  const { output } = await runCommandLine(['serve', '--help']);

  const names = output.match(/^ {2}UPTIME_\w+ {2,}(?=\S)/gm) ?? [];

  expect(names.length).toBeGreaterThan(10);
  expect(new Set(names.map(({ length }) => length)).size).toBe(1);
});

test('the help shows no empty default', async () => {
  for (const command of (await flagsByCommand()).keys()) {
    expect((await runCommandLine([command, '--help'])).output).not.toMatch(/default:\s+\[\]/);
  }
});

test('every flag in a command of the documents is one of that command', async () => {
  const known = await flagsByCommand();
  const uses = pages.flatMap((page) =>
    codeOf(page).flatMap((code) => usesOf(code, known).map((use) => ({ page, ...use }))),
  );
  const common = new Set(['--help', '--version']);

  expect(uses.length).toBeGreaterThan(45);
  expect(
    uses.filter(({ command, flag: name }) => !common.has(name) && !known.get(command)?.has(name)),
  ).toEqual([]);
});

test('every flag of web, config, storage and log that the documents name exists', async () => {
  const known = (await flagsByCommand()).get('serve');
  /** Those of Prometheus and Alertmanager. */
  const others = /^--(?:storage\.tsdb\.|web\.enable-remote-write-receiver)/;
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/--(?:web|config|storage|log)\.[\w.-]*\w/g)]
      .map(([name]) => name)
      .filter((name) => !others.test(name))
      .map((name) => ({ page, flag: name })),
  );

  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ flag: name }) => !known?.has(name))).toEqual([]);
});

test('every variable that the documents name exists', async () => {
  const { output } = await runCommandLine(['serve', '--help']);
  const known = new Set(output.match(/UPTIME_[A-Z_]*[A-Z]/g));
  const named = pages.flatMap((page) =>
    (readFileSync(join(root, page), 'utf8').match(/\bUPTIME_[A-Z_]*[A-Z]\b/g) ?? []).map(
      (name) => ({
        page,
        name,
      }),
    ),
  );

  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});
