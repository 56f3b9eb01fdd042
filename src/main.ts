#!/usr/bin/env node

// Has no syntax and no module that Node.js 12 lacks, so that an old version reports that it is old.
const [oldestMajor, oldestMinor] = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
  void import('./cli/process.ts');
} else {
  process.stderr.write(
    `uptime-exporter needs Node.js ${oldestMajor}.${oldestMinor} or newer; this is ${process.versions.node}, at ${process.execPath}\n`,
  );
  process.exitCode = 1;
}
