import { renderView, type Site } from '../common/layout.tsx';
import { markdownSections } from '../common/markdown.tsx';

/** Renders the runbook of this version, to which alerts link. */
export function runbookView(site: Site, text: string): string {
  const [start, ...sections] = markdownSections(text);
  return renderView({
    site,
    title: 'Runbook · uptime-exporter',
    isLive: false,
    children: (
      <>
        {start !== undefined && (
          <section class="prose" aria-labelledby={start.anchor}>
            <h1 id={start.anchor}>{start.title}</h1>
            {start.body}
          </section>
        )}
        {sections.map(({ title, anchor, body }) => (
          // The board of firing alerts links to the name of an alert, which Grafana cannot write in lower case.
          <section
            class="prose"
            id={/^Uptime\w+$/.test(title) ? title : undefined}
            aria-labelledby={anchor}
          >
            <h2 id={anchor}>{title}</h2>
            {body}
          </section>
        ))}
      </>
    ),
  });
}
