import type { SandboxCheckType } from '../sandbox-check.ts';
import { generalSettings } from './general-settings.ts';
import { type CheckSettings, standardSettings } from './setting-field.ts';
import { targetSettings } from './target-settings.ts';

/** Identifiers of those whom a check alerts. */
export interface Recipients {
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
const standard = standardSettings(generalSettings);

/**
 * What was set, long ago, of the checks an account starts with. Checks that are alike share their settings,
 * because an account may have tens of thousands. One team, or one person, hears of each check's outages.
 */
export function seededSettings({ contactIds, teamIds }: Recipients) {
  const known = new Map<string, CheckSettings>();
  return (type: SandboxCheckType, position: number, chance: number): CheckSettings => {
    const encrypted = type in encryptedPorts && chance < encryptedShare;
    const team = teamIds[position % (teamIds.length + 1)];
    const key = `${type} ${encrypted} ${team}`;
    const shared = known.get(key);
    if (shared !== undefined) return shared;
    const people = team === undefined ? contactIds.slice(0, 1) : [];
    const settings: CheckSettings = {
      ...standard,
      ...standardSettings(targetSettings[type]),
      ...particulars[type],
      teamids: team === undefined ? [] : [team],
      userids: people,
      contactids: people,
      ...(encrypted && { encryption: true, port: encryptedPorts[type] }),
    };
    known.set(key, settings);
    return settings;
  };
}

const particulars: Readonly<Record<SandboxCheckType, CheckSettings>> = {
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
