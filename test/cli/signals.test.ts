import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { SighupHandler, StopSignals } from '../../src/cli/terminal.ts';

class FakeProcess extends EventEmitter {
  readonly killed: string[] = [];
  readonly exitCodes: number[] = [];
  readonly pid: number;

  constructor(pid = 7) {
    super();
    this.pid = pid;
  }

  exit(code: number): void {
    this.exitCodes.push(code);
  }

  kill(pid: number, signal: string): void {
    this.killed.push(`${signal} to ${pid}`);
  }
}

test('signals before anybody listens count as one, the later ones each', () => {
  const process = new FakeProcess();
  const hangUps = new SighupHandler(process);
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  let count = 0;
  hangUps.listen(() => count++);
  expect(count).toBe(1);
  process.emit('SIGHUP');
  expect(count).toBe(2);
});

test('a listener is not called when there has been no signal', () => {
  const hangUps = new SighupHandler(new FakeProcess());
  hangUps.listen(() => expect.unreachable());
});

test('a command that nothing can be reloaded of is ended, by an earlier signal too', () => {
  const process = new FakeProcess();
  const hangUps = new SighupHandler(process);
  process.emit('SIGHUP');
  hangUps.restoreDefault();
  expect(process.killed).toEqual(['SIGHUP to 7']);
  expect(process.listenerCount('SIGHUP')).toBe(0);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
])('%s ends a command that is the first process of a container', (signal, code) => {
  const process = new FakeProcess(1);
  new StopSignals(process);
  process.emit(signal, signal);
  expect(process.exitCodes).toEqual([code]);
});

test('a command that waits for a signal receives it, and a second one ends it', async () => {
  const process = new FakeProcess(1);
  const received = new StopSignals(process).received();
  process.emit('SIGTERM', 'SIGTERM');
  expect(await received).toBe('SIGTERM');
  expect(process.exitCodes).toEqual([]);
  process.emit('SIGTERM', 'SIGTERM');
  expect(process.exitCodes).toEqual([143]);
});

test('the system ends any other process by itself, also one whose stop takes too long', async () => {
  const process = new FakeProcess();
  const signals = new StopSignals(process);
  expect(process.listenerCount('SIGINT')).toBe(0);
  const received = signals.received();
  process.emit('SIGINT', 'SIGINT');
  expect(await received).toBe('SIGINT');
  expect(process.listenerCount('SIGINT')).toBe(0);
});
