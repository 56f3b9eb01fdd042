import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { AssetPaths } from '../assets.ts';
import type { PageLinks } from '../ports.ts';
import { Moment } from './format.tsx';

/** What every page needs besides its subject. */
export interface Site {
  /** The way from the page to the root of the exporter, such as `./` or `../../../`: pages work below any prefix. */
  readonly root: string;
  readonly assets: AssetPaths;
  readonly version: string;
  /** Begins with a slash. */
  readonly telemetryPath: string;
  readonly hasConfiguration: boolean;
  readonly links: PageLinks;
  /** UNIX seconds by the clock of this machine. */
  readonly nowSeconds: number;
}

/** A link to a path of the exporter, which has no slash at the beginning. */
export function hrefTo({ root }: Pick<Site, 'root'>, path: string): string {
  return `${root}${path}`;
}

interface LayoutProps {
  readonly site: Site;
  readonly title: string;
  /** Served with the page when a script draws a chart on it. */
  readonly hasChart?: boolean;
  readonly children: ComponentChildren;
}

/** A page as HTML. What it is made of escapes every text. */
export function renderPage(props: LayoutProps): string {
  return `<!DOCTYPE html>\n${renderToString(<Layout {...props} />)}\n`;
}

/** Parts with `data-live` are replaced by those of a newer page, when a script is allowed to run. */
function Layout({ site, title, hasChart = false, children }: LayoutProps) {
  const { assets } = site;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={hrefTo(site, 'favicon.ico')} type="image/svg+xml" />
        {hasChart && <link rel="stylesheet" href={hrefTo(site, assets.chartStyle)} />}
        <link rel="stylesheet" href={hrefTo(site, assets.style)} />
        {hasChart && <script src={hrefTo(site, assets.chartScript)} defer />}
        <script src={hrefTo(site, assets.script)} defer />
        <noscript>
          <meta http-equiv="refresh" content="60" />
        </noscript>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <p class="brand">
            <a href={hrefTo(site, '') || './'}>uptime-exporter</a> <small>{site.version}</small>
          </p>
          <nav aria-label="Endpoints">
            <ul>
              <li>
                <a href={hrefTo(site, site.telemetryPath.slice(1))}>Metrics</a>
              </li>
              <li>
                <a href={hrefTo(site, 'status.json')}>JSON</a>
              </li>
              <li>
                <a href={hrefTo(site, '-/healthy')}>Healthy</a>
              </li>
              <li>
                <a href={hrefTo(site, '-/ready')}>Ready</a>
              </li>
              {site.hasConfiguration && (
                <li>
                  <a href={hrefTo(site, 'config')}>Configuration</a>
                </li>
              )}
            </ul>
          </nav>
        </header>
        <main id="content">{children}</main>
        <footer>
          <p data-live="as-of">
            As of <Moment at={site.nowSeconds} />. Refreshes every 30 s; this does not call the API.
          </p>
          <p>For accounts of Pingdom’s API; not affiliated with Pingdom.</p>
        </footer>
      </body>
    </html>
  );
}
