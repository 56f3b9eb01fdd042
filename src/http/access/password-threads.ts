import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface PasswordComparison {
  readonly password: string;
  readonly hash: string;
}

/** Node.js 20 cannot run TypeScript in a worker thread, so sources use the built file. */
const entry = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../build/http/access/password-worker.js'
    : './password-worker.js',
  import.meta.url,
);

const maxThreads = 4;
const threadHeapMebibytes = 32;

/**
 * Threads that compare passwords with bcrypt hashes, so that scrapes and polling are not delayed. A
 * thread starts when it is first needed. The threads do not keep the process alive.
 */
export class PasswordThreads {
  /** Comparisons at a time; at least two, so that an expensive hash does not delay a cheap one. */
  readonly size = Math.min(maxThreads, Math.max(2, availableParallelism()));
  readonly #startThread: () => Worker;
  readonly #idle = new Set<Worker>();

  constructor(start: () => Worker = startThread) {
    this.#startThread = start;
  }

  /** Resolves with whether the hash matches. The caller runs at most `size` at a time. */
  async compare(password: string, hash: string): Promise<boolean> {
    const [idle] = this.#idle;
    const thread = idle ?? this.#start();
    this.#idle.delete(thread);
    const matches = await isMatch(thread, { password, hash });
    this.#idle.add(thread);
    return matches;
  }

  #start(): Worker {
    const thread = this.#startThread();
    // A thread that ended while idle would never respond.
    thread.on('exit', () => this.#idle.delete(thread));
    return thread;
  }
}

function startThread(): Worker {
  const thread = new Worker(entry, {
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMebibytes },
  });
  thread.unref();
  // The `exit` event follows an error; its listeners handle both.
  thread.on('error', () => undefined);
  return thread;
}

/** Rejects when the thread has ended. */
function isMatch(thread: Worker, comparison: PasswordComparison): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      thread.off('message', answered);
      thread.off('exit', ended);
    };
    const answered = (matches: boolean) => {
      settle();
      resolve(matches);
    };
    const ended = () => {
      settle();
      reject(new Error('the thread that checks passwords has ended'));
    };
    thread.on('message', answered);
    thread.on('exit', ended);
    thread.postMessage(comparison);
  });
}
