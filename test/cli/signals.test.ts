import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { SighupHandler } from '../../src/cli/terminal.ts';

class FakeProcess extends EventEmitter {
  readonly pid = 7;
  readonly killed: string[] = [];

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
