import { vi } from 'vitest';
import { ServedFamilies } from '../../../src/exposition/catalogue/served-families.ts';
import type { Format } from '../../../src/exposition/formats.ts';
import type { Page } from '../../../src/exposition/page/page.ts';
import { PageRenderer } from '../../../src/exposition/page/page-renderer.ts';
import { Deflater, gzipMember, inflate } from '../../../src/lib/gzip-member.ts';
import type { AccountSnapshot } from '../../../src/state/snapshot.ts';
import {
  type ParsedFamily,
  type ParsedSample,
  parseExposition,
} from '../../support/openmetrics-parser.ts';
import { VirtualClock, wholeSecond } from '../../support/virtual-clock.ts';

/** By default every family is served. */
export function aRenderer(
  options: Partial<ConstructorParameters<typeof PageRenderer>[0]> = {},
): PageRenderer {
  return new PageRenderer({
    clock: new VirtualClock(wholeSecond),
    yieldToEventLoop: () => Promise.resolve(),
    served: ServedFamilies.full,
    ...options,
  });
}

export function freshPage(...snapshots: readonly AccountSnapshot[]): Promise<Page> {
  return aRenderer().render(snapshots);
}

export function plainText(page: Page, format: Format): string {
  return page
    .prepared(format)
    .plain.map((chunk) => inflate(chunk).toString())
    .join('');
}

/** The prepared text as one gzip member. */
export function gzipOf(page: Page, format: Format): Buffer {
  const prepared = page.prepared(format);
  const bytes = prepared.gzip.map((chunk) => chunk.bytes);
  return Buffer.concat(gzipMember(bytes, [prepared]));
}

export function parsePage(page: Page): ParsedFamily[] {
  return parseExposition(`${plainText(page, 'openmetrics')}# EOF\n`, 'openmetrics');
}

export function samplesOf(page: Page, name: string): readonly ParsedSample[] {
  return parsePage(page).find((family) => family.name === name)?.samples ?? [];
}

/** The families of the blocks that are made while `render` runs, one entry per block. */
export async function renderedFamilies(render: () => Promise<unknown>): Promise<string[]> {
  const deflate = vi.spyOn(Deflater.prototype, 'deflate');
  try {
    await render();
    return deflate.mock.calls.map(([text]) => text.split('{', 1)[0] ?? '');
  } finally {
    deflate.mockRestore();
  }
}
