import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Bundles src into dist: one entry for the command line and one for each worker thread. Modules
// that only one command needs are a separate chunk, which is loaded when the command runs.
// Dependencies are not bundled, so that `npm audit` and `npm sbom` list them. The bundle is
// readable, so there are no source maps.
//
// `--if-sources` does nothing in an installed package, which is already built and has no sources.

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

if (existsSync(src) || !process.argv.includes('--if-sources')) await build();

async function build() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(src, 'main.ts'), ...workers() },
    platform: 'node',
    // An image is built without tsconfig.json, so the file is not read.
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // Files that pages load are copied next to the code that names them by `new URL('./…',
    // import.meta.url)`.
    experimental: { resolveNewUrlToAsset: true },
    external: (id) => !/^[./]/.test(id) && !isBundled(id),
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

/**
 * The sandbox, which is not published. And Zod: a sixth of its megabyte of modules is used, most of
 * which are messages in fifty languages. It stays in `dependencies`, although nothing loads its 8 MB:
 * `npm audit` of a user and the SBOM of a release leave out what is declared for development. The
 * image has its package.json and licence only.
 */
function isBundled(id) {
  return id === 'uptime-sandbox' || id === 'zod' || id.includes('/node_modules/zod/');
}

/** V8 keeps a source that has a character beyond Latin-1 in memory with two bytes per character. */
function oneByteEach(_options, files) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  for (const file of Object.values(files)) {
    if (file.type === 'chunk') file.code = file.code.replace(/[\u0100-\uffff]/g, escaped);
  }
}

/** The commit for `--version`. Empty without a repository, as in the build of an image. */
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
 * Files named `…-worker.ts` run in threads. They are in the same folder as the chunks, so that the
 * code that starts one uses the same name as its source: `new URL('./store-worker.js',
 * import.meta.url)`.
 */
function workers() {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const paths = files.filter((file) => file.endsWith('-worker.ts'));
  return Object.fromEntries(paths.map((file) => [basename(file, '.ts'), join(src, file)]));
}
