import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Hook } from './ports.ts';
import { plainText } from './text-reply.ts';

const prefix = '/hooks/';

/**
 * The webhook of the service: its path is the secret. Another secret, like another method, is an unknown path.
 * The body is not read, and it stands before passwords, which the service cannot send.
 */
export function hookHandler(hooks: () => readonly Hook[]): RequestHandler {
  return ({ method, path }, response, next) => {
    const called = method === 'POST' && path.startsWith(prefix) ? matching(hooks(), path) : [];
    if (called.length === 0) {
      next();
      return;
    }
    for (const hook of called) hook.called();
    plainText(response, 202, 'accepted');
  };
}

/** All are compared, in a time that does not depend on how much of them is right. */
function matching(hooks: readonly Hook[], path: string): readonly Hook[] {
  const given = digest(path.slice(prefix.length));
  return hooks.filter(({ secret }) => timingSafeEqual(digest(secret.reveal()), given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
