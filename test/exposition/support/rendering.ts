import { gunzipSync } from 'node:zlib';
import type { Encoding, Format } from '../../../src/exposition/formats.ts';
import type { Block } from '../../../src/exposition/page/block.ts';
import type { Page } from '../../../src/exposition/page/page.ts';
import { PageRenderer } from '../../../src/exposition/page/page-renderer.ts';
import type { AccountSnapshot } from '../../../src/state/snapshot.ts';
import {
  type ParsedFamily,
  type ParsedSample,
  parseExposition,
} from '../../support/openmetrics-parser.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export function aRenderer(
  options: Partial<ConstructorParameters<typeof PageRenderer>[0]> = {},
): PageRenderer {
  return new PageRenderer({
    clock: new VirtualClock(),
    yieldToEventLoop: () => Promise.resolve(),
    ...options,
  });
}

export function freshPage(...snapshots: readonly AccountSnapshot[]): Promise<Page> {
  return aRenderer().render(snapshots);
}

export function bytesOf(page: Page, format: Format, encoding: Encoding): Buffer {
  return Buffer.concat(
    blocksOf(page, format).map(({ gzip }) => (encoding === 'gzip' ? gzip : gunzipSync(gzip))),
  );
}

export function blocksOf(page: Page, format: Format): readonly Block[] {
  return page.pieces(format).flatMap(({ blocks }) => blocks);
}

export function plainText(page: Page, format: Format): string {
  return bytesOf(page, format, 'identity').toString();
}

export function unzippedText(page: Page, format: Format): string {
  return gunzipSync(bytesOf(page, format, 'gzip')).toString();
}

export function parsePage(page: Page): ParsedFamily[] {
  return parseExposition(`${plainText(page, 'openmetrics')}# EOF\n`, 'openmetrics');
}

export function samplesOf(page: Page, name: string): readonly ParsedSample[] {
  return parsePage(page).find((family) => family.name === name)?.samples ?? [];
}

/** The families of the blocks that `page` does not share with `former`. */
export function renderedFamilies(former: Page, page: Page): string[] {
  const shared = new Set(blocksOf(former, 'text'));
  return blocksOf(page, 'text')
    .filter((block) => !shared.has(block))
    .map(({ gzip }) => gunzipSync(gzip).toString().split('{', 1)[0] ?? '');
}
