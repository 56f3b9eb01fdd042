import type { RequestHandler } from 'express';
import type { BackupResult } from './ports.ts';
import { plainText } from './text-reply.ts';

/** Answers with the path of the copy when it is written, or says why it could not be. */
export function backupHandler(backup: () => Promise<BackupResult>): RequestHandler {
  return async (_request, response) => {
    const result = await backup();
    if ('path' in result) plainText(response, 200, result.path);
    else plainText(response, 500, `No backup was written: ${result.failure}`);
  };
}
