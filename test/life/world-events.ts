import { createHash } from 'node:crypto';
import type { StoreChanges } from '../../src/store/store.ts';

/** Lines of `/metrics` about the process of the test, such as its memory. */
const ofProcess = /^(?:# \w+ )?(?:process|nodejs)_/;

/**
 * Everything that a world does, one event a line: requests and responses, commits, lines of the log
 * and pages. The same script gives the same lines, byte for byte, on any machine.
 */
export class WorldEvents {
  readonly lines: string[] = [];
  readonly #now: () => number;

  /** `now` is the virtual time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(kind: string, text: string): void {
    this.lines.push(`${this.#now()} ${kind} ${text.trimEnd()}`);
  }

  response(operation: string, body: unknown): void {
    this.add('response', `${operation} ${digest(JSON.stringify(body))}`);
  }

  commit(changes: StoreChanges): void {
    this.add('commit', digest(JSON.stringify(changes, plain)));
  }

  page(path: string, text: string): void {
    const lines = text.split('\n').filter((line) => !ofProcess.test(line));
    this.add('page', `${path} ${digest(lines.join('\n'))}`);
  }
}

function digest(text = ''): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 12);
}

/** Maps and sets as arrays, in their order. */
function plain(_name: string, value: unknown): unknown {
  return isIterable(value) && !Array.isArray(value) ? [...value] : value;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
