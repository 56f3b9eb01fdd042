/** The parts of the state that are stored whole. */
export type Part = 'checks' | 'transactions' | 'facts' | 'datasets';

/** What changed of the state since it was last stored. */
export interface Changes {
  readonly parts: ReadonlySet<Part>;
  readonly checkFindings: ReadonlySet<number>;
  readonly transactionFindings: ReadonlySet<number>;
}

export class ChangeLog {
  #parts = new Set<Part>();
  #checkFindings = new Set<number>();
  #transactionFindings = new Set<number>();

  part(part: Part): void {
    this.#parts.add(part);
  }

  checkFinding(id: number): void {
    this.#checkFindings.add(id);
  }

  transactionFinding(id: number): void {
    this.#transactionFindings.add(id);
  }

  /** What could not be stored is to be stored the next time. */
  putBack({ parts, checkFindings, transactionFindings }: Changes): void {
    for (const part of parts) this.part(part);
    for (const id of checkFindings) this.checkFinding(id);
    for (const id of transactionFindings) this.transactionFinding(id);
  }

  /** What there is, and starts anew. */
  take(): Changes {
    const changes = {
      parts: this.#parts,
      checkFindings: this.#checkFindings,
      transactionFindings: this.#transactionFindings,
    };
    this.#parts = new Set();
    this.#checkFindings = new Set();
    this.#transactionFindings = new Set();
    return changes;
  }
}
