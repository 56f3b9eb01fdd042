import { Gauge, type Registry } from 'prom-client';

/** An entry of the check list (API 3.1, section 4.1). */
export interface ListedCheck {
  readonly id: number;
  readonly created?: number;
  readonly name: string;
  readonly hostname: string;
  readonly resolution: number;
  readonly type: string;
  readonly ipv6: boolean;
  readonly status: string;
  readonly lasterrortime?: number;
  readonly lasttesttime?: number;
  readonly lastresponsetime?: number;
  readonly lastdownstart?: number;
  readonly lastdownend?: number;
  readonly severity_level: string;
  readonly tags: readonly { readonly name: string; readonly type: 'u' | 'a' }[];
}

type Labels = Record<string, string>;

const common = ['account', 'check_id', 'name'];
const statuses = ['up', 'down', 'unconfirmed_down', 'unknown', 'paused'];
const tagSources = { u: 'user', a: 'auto' };

/** Families with one gauge for each check. An absent gauge has no value. */
const values: readonly (readonly [string, string, (check: ListedCheck) => number | undefined])[] = [
  [
    'uptime_check_up',
    '1 when the check is up, 0 when down.',
    ({ status }) =>
      status === 'paused' || status === 'unknown' ? undefined : Number(status === 'up'),
  ],
  [
    'uptime_check_paused',
    '1 when the check is paused, else 0.',
    ({ status }) => Number(status === 'paused'),
  ],
  [
    'uptime_check_resolution_seconds',
    'Time between two tests of the check.',
    ({ resolution }) => resolution * 60,
  ],
  [
    'uptime_check_last_response_time_seconds',
    'Response time of the last test of the check.',
    ({ lastresponsetime }) =>
      lastresponsetime === undefined ? undefined : lastresponsetime / 1000,
  ],
  [
    'uptime_check_last_test_timestamp_seconds',
    'UNIX time of the last test of the check.',
    ({ lasttesttime }) => lasttesttime,
  ],
  [
    'uptime_check_last_error_timestamp_seconds',
    'UNIX time of the last failed test of the check.',
    ({ lasterrortime }) => lasterrortime,
  ],
  [
    'uptime_check_last_down_start_timestamp_seconds',
    'UNIX time at which the last downtime of the check began.',
    ({ lastdownstart }) => lastdownstart,
  ],
  [
    'uptime_check_last_down_end_timestamp_seconds',
    'UNIX time at which the last downtime of the check ended.',
    ({ lastdownend }) => lastdownend,
  ],
  [
    'uptime_check_created_timestamp_seconds',
    'UNIX time at which the check was created.',
    ({ created }) => created,
  ],
];

/** The families of the check list. */
export class CheckMetrics {
  readonly names = new Set<string>();
  readonly #registry: Registry;
  readonly #info: Gauge;
  readonly #tagInfo: Gauge;
  readonly #status: Gauge;
  readonly #values: readonly (readonly [Gauge, (check: ListedCheck) => number | undefined])[];
  readonly #known = new Map<number, ListedCheck>();

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#info = this.#gauge('uptime_check_info', 'Properties of the check; always 1.', [
      'check_type',
      'hostname',
      'severity',
      'ipv6',
    ]);
    this.#tagInfo = this.#gauge(
      'uptime_check_tag_info',
      'A tag of the check and who set it; always 1.',
      ['tag', 'tag_source'],
    );
    this.#status = this.#gauge(
      'uptime_check_status',
      'The status of the check: 1 for the one it has, else 0.',
      ['status'],
    );
    this.#values = values.map(([name, help, of]) => [this.#gauge(name, help, []), of]);
  }

  update(list: readonly ListedCheck[]): void {
    const listed = new Set<number>();
    for (const check of list) {
      listed.add(check.id);
      const before = this.#known.get(check.id);
      if (before === undefined || !hasSameLabels(before, check)) {
        if (before !== undefined) this.#remove(before);
        this.#info.set(infoOf(check), 1);
        for (const labels of tagsOf(check)) this.#tagInfo.set(labels, 1);
      }
      this.#known.set(check.id, check);
      const labels = labelsOf(check);
      for (const status of statuses) {
        this.#status.set({ ...labels, status }, Number(check.status === status));
      }
      for (const [gauge, of] of this.#values) {
        const value = of(check);
        if (value !== undefined) gauge.set(labels, value);
        else gauge.remove(labels);
      }
    }
    for (const [id, check] of this.#known) {
      if (listed.has(id)) continue;
      this.#remove(check);
      this.#known.delete(id);
    }
  }

  #remove(check: ListedCheck): void {
    const labels = labelsOf(check);
    this.#info.remove(infoOf(check));
    for (const tag of tagsOf(check)) this.#tagInfo.remove(tag);
    for (const status of statuses) this.#status.remove({ ...labels, status });
    for (const [gauge] of this.#values) gauge.remove(labels);
  }

  #gauge(name: string, help: string, labels: readonly string[]): Gauge {
    this.names.add(name);
    return new Gauge({
      name,
      help,
      labelNames: [...common, ...labels],
      registers: [this.#registry],
    });
  }
}

function labelsOf({ id, name }: ListedCheck): Labels {
  return { account: 'main', check_id: String(id), name };
}

function infoOf(check: ListedCheck): Labels {
  return {
    ...labelsOf(check),
    check_type: check.type,
    hostname: check.hostname,
    severity: check.severity_level.toLowerCase(),
    ipv6: String(check.ipv6),
  };
}

function tagsOf(check: ListedCheck): Labels[] {
  const labels = labelsOf(check);
  return check.tags.map(({ name, type }) => ({
    ...labels,
    tag: name,
    tag_source: tagSources[type],
  }));
}

function hasSameLabels(a: ListedCheck, b: ListedCheck): boolean {
  return (
    a.name === b.name &&
    a.type === b.type &&
    a.hostname === b.hostname &&
    a.severity_level === b.severity_level &&
    a.ipv6 === b.ipv6 &&
    a.tags.length === b.tags.length &&
    a.tags.every(({ name, type }, place) => {
      const tag = b.tags[place];
      return name === tag?.name && type === tag.type;
    })
  );
}
