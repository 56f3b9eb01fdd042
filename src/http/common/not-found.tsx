import { hrefTo, renderView, type Site } from './layout.tsx';

/** Renders the view for people who followed an old link: what is missing, and a link back. */
export function notFoundView(site: Site, message: string): string {
  return renderView({
    site,
    title: 'Not found · uptime-exporter',
    children: (
      <section aria-labelledby="not-found">
        <h1 id="not-found">Not found</h1>
        <p class="lead">{message}</p>
        <ul class="plain">
          <li>
            <a href={site.root}>All checks and transactions</a>
          </li>
          <li>
            <a href={hrefTo(site, site.telemetryPath.slice(1))}>Metrics</a>
          </li>
        </ul>
      </section>
    ),
  });
}
