import type { RequestHandler } from 'express';
import type { ConfigurationSource } from './ports.ts';
import { plainText } from './text-reply.ts';

/** The configuration in use, without its secrets. */
export function configurationHandler(configuration: ConfigurationSource): RequestHandler {
  return (_request, response) => plainText(response, 200, configuration.shown().trimEnd());
}

/** Answers when the configuration has been read again, or says why it could not be. */
export function reloadHandler(configuration: ConfigurationSource): RequestHandler {
  return async (_request, response) => {
    const { failure } = await configuration.reload();
    if (failure === undefined) plainText(response, 200, 'reloaded');
    else
      plainText(response, 500, `Configuration reload failed; keeping the current one:\n${failure}`);
  };
}
