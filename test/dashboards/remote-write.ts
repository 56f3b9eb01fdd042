import { request } from 'undici';

/** The value that Prometheus writes at the end of a series. */
const staleMarker = Uint8Array.of(0x7f, 0xf0, 0, 0, 0, 0, 0, 0x02).reverse();

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

/** A length-delimited field of protobuf. */
function sized(field: number, content: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.from([field * 8 + 2, ...varint(content.length)]), content]);
}

/** A block of snappy without compression: literals of at most 65,536 bytes. */
function snappy(content: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Uint8Array.from(varint(content.length))];
  for (let at = 0; at < content.length; at += 0x10000) {
    const literal = content.subarray(at, at + 0x10000);
    const size = literal.length - 1;
    parts.push(Uint8Array.of(61 << 2, size & 0xff, size >> 8), literal);
  }
  return Buffer.concat(parts);
}

/** The labels of a sample line, unescaped, including `__name__`. */
export function labelsOf(series: string): Record<string, string> {
  const open = series.indexOf('{');
  if (open === -1) return { __name__: series };
  const labels: Record<string, string> = { __name__: series.slice(0, open) };
  for (const [, name = '', value = ''] of series.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
    labels[name] = value.replace(/\\(.)/g, (_, escaped: string) =>
      escaped === 'n' ? '\n' : escaped,
    );
  }
  return labels;
}

/** A varint of milliseconds has six bytes from 1971 to 2109. */
const timeBytes = 6;
/** A value and a time, each after its tag. */
const sampleBytes = 1 + 8 + 1 + timeBytes;

interface Series {
  /** The message of the series up to the value of its only sample. */
  readonly head: Buffer;
  /** The time of the last page with the series. */
  seenAt: number;
}

type Labels = Readonly<Record<string, string>>;
/** The labels of a target, or how a scrape relabels a series. */
export type TargetLabels = Labels | ((series: Labels) => Labels);

/**
 * Writes pages of metrics into a Prometheus as if it had scraped them at the given times. A series
 * that is no longer on the page is marked stale, as a scrape does.
 */
export class PageWriter {
  readonly #url: string;
  readonly #target: TargetLabels;
  readonly #known = new Map<string, Series>();
  #writtenAt = 0;

  constructor(address: string, target: TargetLabels) {
    this.#url = `http://${address}/api/v1/write`;
    this.#target = target;
  }

  async write(page: string, milliseconds: number): Promise<void> {
    const { statusCode, body } = await request(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'x-prometheus-remote-write-version': '0.1.0',
      },
      body: snappy(this.#message(page, milliseconds)),
    });
    const answer = await body.text();
    if (statusCode >= 300) throw new Error(`Prometheus refused a page: ${statusCode} ${answer}`);
  }

  /** A page may have a hundred thousand samples, so they are written into one buffer. */
  #message(page: string, milliseconds: number): Buffer {
    const samples: { readonly head: Buffer; readonly value: number | undefined }[] = [];
    for (const line of page.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const end = line.lastIndexOf(' ');
      const series = this.#series(line.slice(0, end));
      series.seenAt = milliseconds;
      samples.push({
        head: series.head,
        value: Number(line.slice(end + 1).replace('Inf', 'Infinity')),
      });
    }
    for (const { head, seenAt } of this.#known.values()) {
      const hasEnded = seenAt === this.#writtenAt && seenAt !== milliseconds;
      if (hasEnded) samples.push({ head, value: undefined });
    }
    this.#writtenAt = milliseconds;

    const time = Uint8Array.of(0x10, ...varint(milliseconds));
    const size = samples.reduce((sum, { head }) => sum + head.length + 8 + time.length, 0);
    const message = Buffer.allocUnsafe(size);
    let end = 0;
    for (const { head, value } of samples) {
      end += head.copy(message, end);
      if (value === undefined) message.set(staleMarker, end);
      else message.writeDoubleLE(value, end);
      message.set(time, end + 8);
      end += 8 + time.length;
    }
    return message;
  }

  #series(key: string): Series {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const own = labelsOf(key);
    const target = typeof this.#target === 'function' ? this.#target(own) : this.#target;
    const labels = Object.entries({ ...own, ...target })
      .filter(([, value]) => value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) =>
        sized(1, Buffer.concat([sized(1, Buffer.from(name)), sized(2, Buffer.from(value))])),
      );
    const sample = Buffer.concat([Uint8Array.of(0x09), Buffer.alloc(sampleBytes - 1)]);
    const whole = sized(1, Buffer.concat([...labels, sized(2, sample)]));
    const series = { head: whole.subarray(0, 1 - sampleBytes), seenAt: 0 };
    this.#known.set(key, series);
    return series;
  }
}
