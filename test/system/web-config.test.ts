import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { Authority } from '../support/certificates.ts';
import { runCommandLine } from '../support/command-line.ts';
import { runDemo } from '../support/exporter-command.ts';
import { missing } from '../support/tools.ts';

const users =
  'basic_auth_users: {alice: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW}\n';

test.skipIf(missing('openssl'))(
  '--web.config.file serves over TLS to whom it names, and takes up a renewed certificate',
  async () => {
    const folder = await temporaryFolder();
    const authority = new Authority(folder);
    authority.issue('server');
    const path = join(folder, 'web.yml');
    writeFileSync(
      path,
      `tls_server_config: {cert_file: server.pem, key_file: server.key}\n${users}`,
    );
    const demo = await runDemo(
      '--checks=1',
      '--web.listen-address=127.0.0.1:0',
      `--web.config.file=${path}`,
    );
    const [, url = ''] = await demo.until(/Status page\s+(https:\S+)\//);
    const ask = async (headers: Record<string, string>) => {
      const dispatcher = new Agent({ connect: { ca: authority.certificate } });
      const { statusCode, body } = await request(`${url}/-/healthy`, { headers, dispatcher });
      await body.text();
      await dispatcher.close();
      return statusCode;
    };
    const alice = { authorization: `Basic ${Buffer.from('alice:U*U').toString('base64')}` };

    expect(await ask({})).toBe(401);
    expect(await ask(alice)).toBe(200);
    authority.issue('server');
    expect(await ask(alice)).toBe(200);
    await demo.until(/web configuration reloaded/);
  },
);

test.each([['demo'], ['serve', '--config.check']])(
  '%s refuses a bad web configuration with its line and column',
  async (...command) => {
    const path = join(await temporaryFolder(), 'web.yml');
    writeFileSync(path, '# users\nbasic_auth_user: {}\n');
    const { exitCode, output } = await runCommandLine(
      [...command, '--web.listen-address=127.0.0.1:0', `--web.config.file=${path}`],
      command[0] === 'demo'
        ? {}
        : { UPTIME_API_BASE_URL: 'https://api.example.com', UPTIME_API_TOKEN: 'token-1234567890' },
    );

    expect(exitCode).toBe(1);
    expect(output).toContain(`${path}:2:1: the file: unknown key "basic_auth_user"`);
    expect(output).not.toMatch(/^\s+at /m);
  },
);
