import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfiguration } from '../../../src/app/load-configuration.ts';
import { linksFromEnvironment } from '../../../src/config/environment.ts';
import { defaultLinks } from '../../../src/config/links.ts';
import { UsageError } from '../../../src/config/problems.ts';

const account = { UPTIME_API_BASE_URL: 'https://api.example.com', UPTIME_API_TOKEN: 'abc-123' };

test('without a configuration file, UPTIME_GRAFANA_URL is the Grafana that pages link to', () => {
  const at = (env: Record<string, string>) =>
    loadConfiguration({ ...account, ...env }, undefined).links.grafana;
  expect(at({ UPTIME_GRAFANA_URL: 'http://localhost:3000' })).toBe('http://localhost:3000');
  expect(at({ UPTIME_GRAFANA_URL: '' })).toBeUndefined();
  expect(at({})).toBeUndefined();
});

test('with a configuration file, UPTIME_GRAFANA_URL counts where the file names no Grafana', () => {
  const at = (links: string, url: string) => {
    const text = `${links}\naccounts: [{ name: shop, base_url: "https://api.example.com", token: a }]`;
    return loadConfiguration({ UPTIME_GRAFANA_URL: url }, 'uptime.yaml', () => text).links;
  };
  expect(at('', 'http://localhost:3000')).toEqual({
    ...defaultLinks,
    grafana: 'http://localhost:3000',
  });
  const links = 'links: { check: "https://a/{id}", grafana: "https://b" }';
  expect(at(links, 'http://localhost:3000')).toEqual({
    check: 'https://a/{id}',
    grafana: 'https://b',
  });
  expect(() => at('', 'localhost:3000')).toThrow('UPTIME_GRAFANA_URL must be a web address');
});

test('what is no web address is refused', () => {
  const read = () => linksFromEnvironment({ UPTIME_GRAFANA_URL: 'localhost:3000' });
  expect(read).toThrow(UsageError);
  expect(read).toThrow('UPTIME_GRAFANA_URL must be a web address');
  const withPassword = { UPTIME_GRAFANA_URL: 'https://admin:hunter2@grafana.example.com' };
  expect(() => linksFromEnvironment(withPassword)).toThrow(
    /^UPTIME_GRAFANA_URL must be a web address without user and password, such as \S+$/,
  );
});

test('in deploy/compose.yaml, the pages of the exporter link to its Grafana', async () => {
  const path = join(import.meta.dirname, '../../../deploy/compose.yaml');
  const { services } = z
    .object({
      services: z.object({
        exporter: z.looseObject({ environment: z.object({ UPTIME_GRAFANA_URL: z.string() }) }),
        grafana: z.looseObject({ ports: z.tuple([z.string()]) }),
      }),
    })
    .parse(parse(await readFile(path, 'utf8')));
  const { port } = new URL(services.exporter.environment.UPTIME_GRAFANA_URL);
  expect(services.grafana.ports).toEqual([`127.0.0.1:${port}:3000`]);
});
