import { createHash } from 'node:crypto';
import type { Authentication } from '../api/authentication.ts';
import type { Connecting } from '../api/connecting.ts';

/**
 * A text that is the same for settings that were read from the same: what was written of the account, and what
 * the files and the environment held.
 */
export function settingsDigest(
  written: unknown,
  authentication: Authentication,
  connecting: Connecting,
): string {
  const read = JSON.stringify([written, authentication.headers(), connecting]);
  return createHash('sha256').update(read).digest('hex');
}
