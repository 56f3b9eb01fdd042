import { generalSettings, targetSettings } from './check-settings.ts';
import type { SandboxCheckType } from './checks.ts';
import { defaultSettings, type SettingValues } from './setting-field.ts';

/** Identifiers of those whom a check alerts. */
export interface AlertedIds {
  readonly contactIds: readonly number[];
  readonly teamIds: readonly number[];
}

const encryptedPorts: Readonly<Partial<Record<SandboxCheckType, number>>> = {
  http: 443,
  httpcustom: 443,
  smtp: 465,
  pop3: 995,
  imap: 993,
};
const encryptedShare = 0.8;
const standard = defaultSettings(generalSettings);

/**
 * What was set, long ago, of the checks an account starts with. Checks that are alike share their settings,
 * because an account may have tens of thousands. One team, or one person, hears of each check's outages.
 */
export function seededCheckSettings({ contactIds, teamIds }: AlertedIds) {
  const known = new Map<string, SettingValues>();
  return (type: SandboxCheckType, position: number, chance: number): SettingValues => {
    const encrypted = type in encryptedPorts && chance < encryptedShare;
    const team = teamIds[position % (teamIds.length + 1)];
    const key = `${type} ${encrypted} ${team}`;
    const shared = known.get(key);
    if (shared !== undefined) return shared;
    const people = team === undefined ? contactIds.slice(0, 1) : [];
    const settings: SettingValues = {
      ...standard,
      ...defaultSettings(targetSettings[type]),
      ...typeSettings[type],
      teamids: team === undefined ? [] : [team],
      userids: people,
      contactids: people,
      ...(encrypted && { encryption: true, port: encryptedPorts[type] }),
    };
    known.set(key, settings);
    return settings;
  };
}

const typeSettings: Readonly<Record<SandboxCheckType, SettingValues>> = {
  http: { url: '/health', shouldcontain: 'ok', requestheaders: ['User-Agent:monitor'] },
  httpcustom: { url: '/status.xml' },
  tcp: { port: 5432 },
  ping: {},
  dns: { nameserver: 'ns1.example.com', expectedip: '192.0.2.10' },
  udp: { port: 514, stringtosend: 'ping', stringtoexpect: 'pong' },
  smtp: { stringtoexpect: '220' },
  pop3: { stringtoexpect: '+OK' },
  imap: { stringtoexpect: '* OK' },
};
