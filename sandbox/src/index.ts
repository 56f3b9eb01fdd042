// The public entry of the package. The command line of the exporter uses nothing else of it.

export { demoOutageId } from './account/seed-scenario.ts';
export { type FaultOrder, faultKinds } from './faults/faults.ts';
export { type QuirkName, quirkKinds } from './faults/quirks.ts';
export { sandboxOperationNames } from './operations/operations.ts';
export { runOtherClient } from './other-client.ts';
export { type RunningSandbox, type StartOptions, startSandbox } from './running-sandbox.ts';
export { SteppedClock, scaledClock } from './simulation/clocks.ts';
export {
  type FreedomName,
  freedoms,
  parseWire,
  recordedWire,
  type Wire,
  wireWith,
} from './wire.ts';
