import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import snappy from 'snappyjs';
import { type DayOptions, type ScrapeLabels, seriesLabels } from './open-metrics.ts';

/** Servers limit the samples and bytes of a request. Prometheus itself sends twice as many. */
const samplesPerRequest = 1_000;
/** Field numbers of Prometheus remote write 1.0. */
const fields = {
  request: { timeseries: 1 },
  timeseries: { labels: 1, samples: 2 },
  label: { name: 1, value: 2 },
  sample: { value: 1, timestamp: 2 },
} as const;

type Samples = readonly (readonly [atSeconds: number, value: number])[];

/** The samples of a range as compressed remote-write requests, in order for each series. */
export function* writeRequestsOf(options: DayOptions): Iterable<Uint8Array<ArrayBuffer>> {
  const { families, pasts, within, fineFromSeconds } = options;
  let request = new BinaryWriter();
  let samples = 0;
  for (const family of families) {
    for (const labelled of pasts) {
      if (labelled.past.item.kind !== family.kind) continue;
      for (const series of family.seriesOf(labelled.past, within, fineFromSeconds)) {
        const labels = { __name__: family.name, ...seriesLabels(labelled, series.labels) };
        writeSeries(request, labels, series.samples);
        samples += series.samples.length;
        if (samples < samplesPerRequest) continue;
        yield compressed(request);
        [request, samples] = [new BinaryWriter(), 0];
      }
    }
  }
  if (samples > 0) yield compressed(request);
}

function compressed(request: BinaryWriter): Uint8Array<ArrayBuffer> {
  return new Uint8Array(snappy.compress(request.finish()));
}

function writeSeries(request: BinaryWriter, labels: ScrapeLabels, samples: Samples): void {
  const message = request.tag(fields.request.timeseries, WireType.LengthDelimited).fork();
  // The protocol requires labels in this order, without empty ones.
  for (const name of Object.keys(labels).sort()) {
    const value = labels[name] ?? '';
    if (value === '') continue;
    message.tag(fields.timeseries.labels, WireType.LengthDelimited).fork();
    message.tag(fields.label.name, WireType.LengthDelimited).string(name);
    message.tag(fields.label.value, WireType.LengthDelimited).string(value).join();
  }
  for (const [atSeconds, value] of samples) {
    message.tag(fields.timeseries.samples, WireType.LengthDelimited).fork();
    message.tag(fields.sample.value, WireType.Bit64).double(value);
    message.tag(fields.sample.timestamp, WireType.Varint).int64(Math.round(atSeconds * 1000));
    message.join();
  }
  message.join();
}
