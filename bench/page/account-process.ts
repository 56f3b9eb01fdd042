import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkListBodies, type ListKind } from './check-list.ts';
import { Child } from './child.ts';
import type { Report } from './protocol.ts';

/** A measured process that watches an account of so many checks, with its files. */
export class AccountProcess {
  readonly checks: number;
  readonly folder = mkdtempSync(join(tmpdir(), 'bench-page-'));
  child = new Child();
  #lists = 0;

  constructor(checks: number) {
    this.checks = checks;
  }

  /** Reads the first list, and books results so that the histograms are not empty. */
  async begin(): Promise<Report> {
    await this.child.tell({ order: 'open', path: this.#store });
    const first = await this.refresh({ minute: 0, tested: 'all', down: 'none' });
    await this.child.tell({ order: 'book results' });
    return first;
  }

  refresh(kind: Omit<ListKind, 'checks'>): Promise<Report> {
    const bodies = checkListBodies({ checks: this.checks, ...kind });
    this.#lists += 1;
    const files = bodies.map((body, page) => {
      const file = join(this.folder, `list-${this.#lists}-${page}.json`);
      writeFileSync(file, body);
      return file;
    });
    return this.child.tell({ order: 'refresh', files, minute: this.#lists - 1 });
  }

  /** Ends the process; the answer is one that has not opened the store yet. */
  async replace(): Promise<Child> {
    await this.child.end();
    this.child = new Child();
    return this.child;
  }

  async restore(): Promise<number> {
    await this.child.tell({ order: 'open', path: this.#store });
    await this.child.tell({ order: 'restore' });
    return (await this.child.tell({ order: 'serve exporter' })).port ?? 0;
  }

  async end(): Promise<void> {
    await this.child.end();
    rmSync(this.folder, { recursive: true });
  }

  get #store(): string {
    return join(this.folder, 'store');
  }
}
