// Replaces the project's public addresses in all files. project.json has the current ones.
//
//   npm run set-home -- https://github.com/acme/uptime-exporter
//   npm run set-home -- https://git.acme.com/sre/uptime-exporter --image registry.acme.com/sre/uptime-exporter \
//     --charts oci://registry.acme.com/sre/charts
//
// `--check` fails while they are those of the example, or while the lockfile lacks a hash, because
// neither may be published.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = process.env.UPTIME_EXPORTER_ROOT ?? join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    image: { type: 'string' },
    charts: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});

const now = JSON.parse(readFileSync(join(root, 'project.json'), 'utf8'));
if (values.check) check();
else setHome(addresses());

function check() {
  const examples = Object.values(now).filter((address) => /\bexample\.com\b/.test(address));
  if (examples.length > 0) {
    fail(`project.json names no real address (${examples.join(', ')}); see docs/releasing.md`);
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const unhashed = Object.keys(packages).filter(
    (path) => path.startsWith('node_modules/') && !packages[path].link && !packages[path].integrity,
  );
  if (unhashed.length > 0) {
    fail(`package-lock.json has no integrity of ${unhashed.join(', ')}; see docs/releasing.md`);
  }
}

function addresses() {
  const [given, ...rest] = positionals;
  const home = given?.replace(/\/$|\.git$/, '');
  if (home === undefined || rest.length > 0 || !/^https:\/\/[^/]+\/\S+$/.test(home)) {
    fail('usage: npm run set-home -- https://HOST/OWNER/NAME [--image NAME] [--charts oci://…]');
  }
  const [, owner, name] = home.match(/^https:\/\/github\.com\/([^/]+)\/([^/]+)$/) ?? [];
  const onGitHub =
    owner === undefined
      ? {}
      : {
          image: `ghcr.io/${owner}/${name}`.toLowerCase(),
          charts: `oci://ghcr.io/${owner}/charts`.toLowerCase(),
        };
  const { check: _, ...options } = values;
  const next = { home, ...onGitHub, ...options };
  const missing = Object.keys(now).filter((key) => next[key] === undefined);
  if (missing.length > 0) fail(`outside of GitHub give also --${missing.join(', --')}`);
  return next;
}

/**
 * Replaces each current address with the next one, in every file that git tracks. The longest come
 * first, because one may be the beginning of another.
 */
function setHome(next) {
  const keys = Object.keys(now).sort((a, b) => now[b].length - now[a].length);
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const pattern = new RegExp(
    keys.map((key) => now[key].replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'g',
  );
  const nextOf = new Map(keys.map((key) => [now[key], next[key]]));
  for (const file of files.split('\0')) {
    if (file === '' || file === 'package-lock.json') continue;
    const path = join(root, file);
    const before = readFileSync(path, 'utf8');
    const after = before.replace(pattern, (address) => nextOf.get(address));
    if (after === before) continue;
    writeFileSync(path, after);
    process.stdout.write(`${file}\n`);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
