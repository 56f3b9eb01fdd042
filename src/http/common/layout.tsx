import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal } from '../../lib/format-number.ts';
import type { ZonedTimes } from '../../lib/zoned-times.ts';
import type { ListTiming } from '../../state/list-timing.ts';
import type { AssetPaths } from '../assets.ts';
import type { ViewLinks } from '../ports.ts';
import { Moment } from './format.tsx';

/** A view that the header leads to; its path is without a leading slash. */
interface PageLink {
  readonly title: string;
  readonly path: string;
}

/** The data that every view needs besides its subject. */
export interface Site {
  /** The relative path to the root, such as `./` or `../../../`, so that any prefix works. */
  readonly root: string;
  readonly assets: AssetPaths;
  readonly version: string;
  /** Starts with a slash. */
  readonly telemetryPath: string;
  readonly hasConfiguration: boolean;
  readonly links: ViewLinks;
  /** UNIX seconds by the clock of this machine. */
  readonly nowSeconds: number;
  /** The links of the header. */
  readonly pages: readonly PageLink[];
  /** How many accounts this replica owns, and how many there are; absent if it owns all. */
  readonly accounts?: { readonly shown: number; readonly all: number };
  /** The oldest check list of all accounts; absent before the first. */
  readonly list?: ListTiming;
}

/** Returns a link to a path of the exporter without a leading slash. */
export function hrefTo({ root }: Pick<Site, 'root'>, path: string): string {
  return `${root}${path}`;
}

interface LayoutProps {
  readonly site: Site;
  readonly title: string;
  /** Whether an open view shows newer data by itself; true by default. */
  readonly isLive?: boolean;
  /** The zone of its times, if that is not the reader's. */
  readonly times?: ZonedTimes;
  /** Loaded if a script draws a chart in the view. */
  readonly hasChart?: boolean;
  readonly children: ComponentChildren;
}

interface LiveSectionProps {
  readonly id: string;
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A section whose content a script replaces with that of a newer page. */
export function LiveSection({ id, title, class: name, children }: LiveSectionProps) {
  return (
    <section class={name} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div data-live={id}>{children}</div>
    </section>
  );
}

/** Renders a view as HTML. Its parts escape every text. */
export function renderView(props: LayoutProps): string {
  return `<!DOCTYPE html>\n${renderToString(<Layout {...props} />)}\n`;
}

/** Renders a view whose content takes long, so that other work can be done between its pieces. */
export function viewPieces(
  props: Omit<LayoutProps, 'children'>,
  content: Iterable<string>,
): Iterable<string> {
  return within((inner) => <Layout {...props}>{inner}</Layout>, content, '<!DOCTYPE html>\n');
}

/** Every other text is escaped, and nothing else is such an element. */
const placeText = '<template></template>';

/** Renders elements around others that are rendered in pieces. */
export function* within(
  outer: (inner: ComponentChildren) => VNode,
  pieces: Iterable<string>,
  before = '',
): Iterable<string> {
  const [start = '', end = ''] = renderToString(outer(<template />)).split(placeText);
  yield `${before}${start}`;
  yield* pieces;
  yield end;
}

/** If scripts are allowed, parts with `data-live` are replaced with the parts of a newer page. */
function Layout(props: LayoutProps) {
  const { site, title, isLive = true, hasChart = false, times, children } = props;
  const { assets } = site;
  const scripts = [
    ...(hasChart ? [assets.chartLibrary, assets.chartScript] : []),
    assets.timesScript,
    assets.stripsScript,
    ...(isLive ? [assets.refreshScript] : []),
  ];
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
        {scripts.map((path) => (
          <script src={hrefTo(site, path)} defer />
        ))}
        {isLive && (
          <noscript>
            <meta http-equiv="refresh" content="60" />
          </noscript>
        )}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <p class="brand">
            <a href={site.root}>uptime-exporter</a> <small>{site.version}</small>
          </p>
          <nav aria-label="Views">
            <ul>
              {site.pages.map(({ title: name, path }) => (
                <li>
                  <a href={hrefTo(site, path)}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
          <p class="as-of">
            <span data-live="as-of">
              As of <Moment at={site.nowSeconds} times={times} />
              {site.list && `, ${listText(site.list)}`}
            </span>
          </p>
        </header>
        <main id="content">
          <div data-live="owned">
            <OwnedAccounts site={site} />
          </div>
          {children}
        </main>
        <Footer site={site} />
      </body>
    </html>
  );
}

function OwnedAccounts({ site }: { readonly site: Site }) {
  if (site.accounts === undefined) return null;
  const { shown, all } = site.accounts;
  return (
    <p class="rest">
      This replica shows its own accounts, {formatDecimal(shown)} of {formatDecimal(all)}.{' '}
      <a href={hrefTo(site, '#replicas')}>The owners of the others</a>
    </p>
  );
}

function listText({ ageSeconds, nextInSeconds }: ListTiming): string {
  const next = nextInSeconds >= 1 ? `in ${humanizeDuration(nextInSeconds)}` : 'now';
  return `check list ${humanizeDuration(ageSeconds)} old, next ${next}`;
}

function Footer({ site }: { readonly site: Site }) {
  const endpoints: readonly (readonly [name: string, path: string])[] = [
    ['Metrics', site.telemetryPath.slice(1)],
    ['JSON', 'status.json'],
    ['Healthy', '-/healthy'],
    ['Ready', '-/ready'],
    ...(site.hasConfiguration ? [['Configuration', 'config'] as const] : []),
  ];
  return (
    <footer>
      <nav aria-label="Endpoints">
        <ul>
          {endpoints.map(([name, path]) => (
            <li>
              <a href={hrefTo(site, path)}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <p>Opening this page does not call the API.</p>
      <p>For accounts of Pingdom’s API; not affiliated with Pingdom.</p>
    </footer>
  );
}
