import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory of this process without garbage, which other tests may have left. */
export async function collectedMemory(): Promise<NodeJS.MemoryUsage> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage();
}
