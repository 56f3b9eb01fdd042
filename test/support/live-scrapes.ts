/** The counters that a server has scraped from a live exporter, under its job. */
export class LiveScrapes {
  readonly #lines = new Map<string, string[]>();

  /**
   * Adds the counters that have a history, from a page that was scraped at a time (UNIX seconds).
   */
  add(page: string, at: number): void {
    for (const line of page.split('\n')) {
      if (!/^uptime_(?:check|transaction)_(?:state_seconds|outages)_total\{/.test(line)) continue;
      const end = line.lastIndexOf(' ');
      const series = line.slice(0, end).replace(/\}$/, ',job="uptime",instance="a:1"}');
      const known = this.#lines.get(series) ?? [];
      this.#lines.set(series, [...known, `${series} ${line.slice(end + 1)} ${at}`]);
    }
  }

  /** The samples as OpenMetrics, for a server that is set up later. */
  get text(): string {
    let family = '';
    const texts = [...this.#lines.keys()].sort().map((series) => {
      const name = series.slice(0, series.indexOf('_total{'));
      const header = name === family ? '' : `# TYPE ${name} counter\n`;
      family = name;
      return `${header}${(this.#lines.get(series) ?? []).join('\n')}\n`;
    });
    return `${texts.join('')}# EOF\n`;
  }
}
