import { Gauge, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { registryText } from '../../../src/exposition/self-metrics/metrics-text.ts';

it('leaves out what is not a number, with its family when nothing else is in it', async () => {
  const registry = new Registry();
  new Gauge({ name: 'a', help: 'h', registers: [registry] }).set(Number.NaN);
  new Gauge({ name: 'b', help: 'h', labelNames: ['l'], registers: [registry] });

  expect(await registryText(registry, 'text')).toBe('');
});
