#!/usr/bin/env node

// Has no syntax and no module that Node.js 12 lacks, so that an old version reports that it is old.
// 21, and 22 before 22.2, have no `crc32` in `node:zlib`; 22.12 is what the build tools need as well.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isNewEnough = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;

if (isNewEnough) {
  void import('./cli/process.ts');
} else {
  process.stderr.write(
    `uptime-exporter needs Node.js 20.19, or 22.12 or newer; this is ${process.versions.node}, at ${process.execPath}\n`,
  );
  process.exitCode = 1;
}
