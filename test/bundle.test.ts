import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '..', 'dist');
const programs = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?:main|chunks\/.+)\.js$/.test(file))
  .map((file) => [file, readFileSync(join(dist, file), 'utf8')] as const);

test('V8 keeps the bundle at one byte a character, because all its characters are of Latin-1', () => {
  const wide = programs.filter(([, source]) => /[\u0100-\uffff]/.test(source));

  expect(programs.length).toBeGreaterThan(10);
  expect(wide.map(([file]) => file)).toEqual([]);
});

test('the bundle has of zod what is used, and no other package', () => {
  const sources = programs.map(([, source]) => source).join('\n');
  const bundled = [...sources.matchAll(/^\/\/#? ?(?:region )?node_modules\/([^/\n]+)/gm)];

  expect(sources).not.toMatch(/from "zod/);
  expect(new Set(bundled.map(([, name]) => name))).toEqual(new Set(['zod']));
});

const main = join(dist, 'main.js');

function runWithVersion(version: string) {
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    import(${JSON.stringify(pathToFileURL(main))});
  `;
  return spawnSync(process.execPath, ['--eval', script, 'uptime-exporter', '--version'], {
    encoding: 'utf8',
  });
}

// Of 21.7 and 22.1, `node:zlib` has no `crc32`.
test.each(['12.22.12', '18.20.8', '20.18.3', '21.7.3', '22.1.0'])(
  'Node.js %s is refused in one line',
  (version) => {
    const { status, stdout, stderr } = runWithVersion(version);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `uptime-exporter needs Node.js 20.19, or 22.12 or newer; this is ${version}, at ${process.execPath}\n`,
    });
  },
);

test.each(['20.19.0', '22.12.0', '23.0.0', '24.1.0'])('Node.js %s is accepted', (version) => {
  expect(runWithVersion(version)).toMatchObject({ status: 0, stderr: '' });
});

test('an old Node.js can read the entry: it imports nothing at once, and its syntax is of 2019', () => {
  const [, source = ''] = programs.find(([file]) => file === 'main.js') ?? [];
  expect(source).not.toMatch(/^import\b|\?\.|\?\?|\bawait\b/m);
});

test('the package asks for the oldest Node.js that the entry accepts', () => {
  const { engines } = JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8'));
  expect(engines).toEqual({ node: '^20.19.0 || >=22.12.0' });
});
