import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolPath } from './tools.ts';

export interface Issued {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority in a folder, made by openssl: `<name>.pem` and `<name>.key`. */
export class Authority {
  readonly #folder: string;
  readonly #name: string;
  #serial = 1;

  constructor(folder: string, name = 'ca') {
    this.#folder = folder;
    this.#name = name;
    openssl(folder, [
      'req',
      '-x509',
      ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', `/CN=${name}`, '-days', '2', '-keyout', `${name}.key`, '-out', `${name}.pem`],
    ]);
  }

  get certificate(): string {
    return readFileSync(join(this.#folder, `${this.#name}.pem`), 'utf8');
  }

  /** For localhost and 127.0.0.1, or other hosts; with days below 0, expired. */
  issue(name: string, days = 1, hosts = 'DNS:localhost,IP:127.0.0.1'): Issued {
    const file = (ending: string) => join(this.#folder, `${name}.${ending}`);
    writeFileSync(file('ext'), `subjectAltName=${hosts}\n`);
    openssl(this.#folder, [
      'req',
      ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`],
    ]);
    this.#serial += 1;
    openssl(this.#folder, [
      ...['x509', '-req', '-in', `${name}.csr`, '-extfile', `${name}.ext`],
      ...['-CA', `${this.#name}.pem`, '-CAkey', `${this.#name}.key`],
      ...['-set_serial', `${this.#serial}`, '-days', `${days}`, '-out', `${name}.pem`],
    ]);
    return { cert: readFileSync(file('pem'), 'utf8'), key: readFileSync(file('key'), 'utf8') };
  }
}

function openssl(folder: string, args: readonly string[]): void {
  execFileSync(toolPath('openssl'), args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}
