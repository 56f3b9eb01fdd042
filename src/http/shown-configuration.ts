import type { RequestHandler } from 'express';
import { plainText } from './plain-text.ts';
import type { ConfigurationSource } from './ports.ts';

/** The configuration in use, without its secrets. */
export function configurationHandler(configuration: ConfigurationSource): RequestHandler {
  return (_request, response) => plainText(response, 200, configuration.shown().trimEnd());
}
