import { catalogueMarkdown } from '../exposition/catalogue-markdown.ts';
import type { Terminal } from './terminal.ts';

export function printMetrics(terminal: Terminal): void {
  terminal.stdout.write(catalogueMarkdown());
}
