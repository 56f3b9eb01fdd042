import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Bundles src into dist: one entry for the command line and one for each worker thread; what a command
// alone needs stays a chunk of its own, loaded when it is called. Dependencies are not bundled, so that
// `npm audit` and `npm sbom` see what runs, and there are no source maps: the bundle is readable.
//
// `--if-sources`: an installed package is built already, and has neither sources nor a bundler.

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

if (existsSync(src) || !process.argv.includes('--if-sources')) await build();

async function build() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(src, 'main.ts'), ...workers() },
    platform: 'node',
    // An image is built without tsconfig.json, so it is read nowhere.
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // Files that pages load are copied beside the code that names them by `new URL('./…', import.meta.url)`.
    experimental: { resolveNewUrlToAsset: true },
    external: (id) => !/^[./]/.test(id) && !id.startsWith(src) && !isBundled(id),
    plugins: [{ name: 'one byte a character', generateBundle: oneByteEach }],
  });
  await bundle.write({
    dir: join(root, 'dist'),
    cleanDir: true,
    format: 'esm',
    entryFileNames: ({ name }) => (name === 'main' ? 'main.js' : `chunks/${name}.js`),
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  writeFileSync(join(root, 'dist', 'build.json'), `${JSON.stringify(commit())}\n`);
}

/** Zod alone: of a megabyte of modules, most of them its messages in fifty languages, a sixth is used. */
function isBundled(id) {
  return id === 'zod' || id.includes('/node_modules/zod/');
}

/** V8 keeps a source with any character beyond Latin-1 in memory with two bytes for each character. */
function oneByteEach(_options, files) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  for (const file of Object.values(files)) {
    if (file.type === 'chunk') file.code = file.code.replace(/[\u0100-\uffff]/g, escaped);
  }
}

/** The commit for `--version`. Empty where there is no repository, as in the build of an image. */
function commit() {
  const git = (...args) =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    if (git('rev-parse', '--show-cdup') !== '') return {};
    const revision = git('describe', '--always', '--dirty', '--abbrev=12', '--exclude=*');
    return { revision, branch: git('rev-parse', '--abbrev-ref', 'HEAD') };
  } catch {
    return {};
  }
}

/**
 * Files named `…-worker.ts` run in threads. They lie beside the chunks, so that whoever starts one names it
 * as its source does: `new URL('./store-worker.js', import.meta.url)`.
 */
function workers() {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const paths = files.filter((file) => file.endsWith('-worker.ts'));
  return Object.fromEntries(paths.map((file) => [basename(file, '.ts'), join(src, file)]));
}
