import { faultKinds } from '../faults.ts';
import { adminActions } from './admin-actions.ts';

const actions = adminActions.map(({ method, path, summary, example }) => {
  const line = `${method.toUpperCase().padEnd(7)}${path.padEnd(25)}${summary}`;
  return example === undefined ? line : `${line}\n${' '.repeat(32)}${example}`;
});

const faults = Object.entries(faultKinds).map(
  ([kind, { description }]) => `${kind.padEnd(32)}${description}`,
);

/** The index page, for a terminal. */
export const indexText = `The sandbox's admin listener: JSON over HTTP. Times are UNIX seconds of the sandbox's clock.
Send parameters of POST as a JSON object with Content-Type: application/json.

${actions.join('\n')}

Faults:

${faults.join('\n')}
`;
