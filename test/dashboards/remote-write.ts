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

/**
 * Writes pages of metrics into a Prometheus as if it had scraped them at the given times. A series
 * that is no longer on the page is marked stale, as a scrape does.
 */
export class PageWriter {
  readonly #url: string;
  readonly #target: Readonly<Record<string, string>>;
  readonly #encoded = new Map<string, Buffer>();
  #before: ReadonlySet<string> = new Set();

  constructor(address: string, target: Readonly<Record<string, string>>) {
    this.#url = `http://${address}/api/v1/write`;
    this.#target = target;
  }

  async write(page: string, milliseconds: number): Promise<void> {
    const time = Buffer.from([0x10, ...varint(milliseconds)]);
    const series: Buffer[] = [];
    const put = (key: string, value: Uint8Array) => {
      const sample = Buffer.concat([Uint8Array.of(0x09), value, time]);
      series.push(sized(1, Buffer.concat([this.#labels(key), sized(2, sample)])));
    };
    const seen = new Set<string>();
    for (const [, key = '', text = ''] of page.matchAll(/^([a-z_]\w*(?:\{.*\})?) (\S+)/gim)) {
      seen.add(key);
      const value = Buffer.alloc(8);
      value.writeDoubleLE(Number(text.replace('Inf', 'Infinity')));
      put(key, value);
    }
    for (const key of this.#before) if (!seen.has(key)) put(key, staleMarker);
    this.#before = seen;
    const { statusCode, body } = await request(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'x-prometheus-remote-write-version': '0.1.0',
      },
      body: snappy(Buffer.concat(series)),
    });
    const answer = await body.text();
    if (statusCode >= 300) throw new Error(`Prometheus refused a page: ${statusCode} ${answer}`);
  }

  #labels(key: string): Buffer {
    const known = this.#encoded.get(key);
    if (known !== undefined) return known;
    const labels = Object.entries({ ...labelsOf(key), ...this.#target })
      .filter(([, value]) => value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const encoded = Buffer.concat(
      labels.map(([name, value]) =>
        sized(1, Buffer.concat([sized(1, Buffer.from(name)), sized(2, Buffer.from(value))])),
      ),
    );
    this.#encoded.set(key, encoded);
    return encoded;
  }
}
