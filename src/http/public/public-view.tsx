import { renderToString } from 'preact-render-to-string';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { plural } from '../../lib/format-number.ts';
import type { ZonedTimes } from '../../lib/zoned-times.ts';
import { lengthText } from '../common/beginnings.ts';
import { displayText, Name, Table, WholeName } from '../common/format.tsx';
import type { ItemState } from '../common/items.ts';
import { StateIcon } from '../common/state-badge.tsx';
import { Bars, stripHeight } from '../common/strip.tsx';
import type {
  PlannedWork,
  PublicDay,
  PublicOutage,
  PublicService,
  PublicState,
  PublicStatus,
} from './public-status.ts';
import { dayLook, daysText, headline, stateWords } from './public-words.ts';

interface PublicViewProps {
  readonly status: PublicStatus;
  readonly time: ZonedTimes;
  /** The addresses of the style sheet and of the same as JSON, relative to the page. */
  readonly style: string;
  readonly json: string;
}

/** Renders a public page as HTML, without scripts and without links into the exporter. */
export function publicView(props: PublicViewProps): string {
  return `<!DOCTYPE html>\n${renderToString(<Page {...props} />)}\n`;
}

function Page({ status, time, style, json }: PublicViewProps) {
  const { title, services, plannedWork = [], nowSeconds } = status;
  const { text } = headline(status, (at) => time.text(at));
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          {displayText(title)}: {text}
        </title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={style} />
      </head>
      <body class="public">
        <header>
          <h1>
            <WholeName text={title} />
          </h1>
        </header>
        <main>
          <Now {...{ status, time }} />
          {plannedWork.length > 0 && (
            <section aria-labelledby="planned">
              <h2 id="planned">Planned work</h2>
              <Planned {...{ plannedWork, nowSeconds, time }} />
            </section>
          )}
          {services.length > 0 && (
            <section aria-labelledby="services">
              <h2 id="services">Services</h2>
              <Services {...{ status, time }} />
            </section>
          )}
          <section aria-labelledby="outages">
            <h2 id="outages">Outages</h2>
            <Outages {...{ status, time }} />
          </section>
        </main>
        <footer>
          <p>
            As of <Time at={nowSeconds} time={time} />. Times are in {time.zone}.
          </p>
          <p>
            <a href={json}>As JSON</a>
          </p>
        </footer>
      </body>
    </html>
  );
}

interface TimedProps {
  readonly status: PublicStatus;
  readonly time: ZonedTimes;
}

function Time({ at, time }: { readonly at: number; readonly time: ZonedTimes }) {
  const words = new Date(at * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  return <time dateTime={`${words}Z`}>{time.text(at)}</time>;
}

function Now({ status, time }: TimedProps) {
  const { state, text } = headline(status, (at) => time.text(at));
  const { blind, isLate, furtherServices, states } = status;
  return (
    <section aria-labelledby="now">
      <h2 id="now" class={`state s-${signs[state]}`}>
        <StateIcon state={signs[state]} /> {text}
      </h2>
      {blind === undefined && states.length > 1 && <p class="rest">{countsText(states)}</p>}
      {blind?.sinceSeconds !== undefined && (
        <p class="rest">
          The state was last seen {humanizeDuration(status.nowSeconds - blind.sinceSeconds)} ago.
          The days and outages below end there.
        </p>
      )}
      {isLate && <p class="rest">Changes are shown late at present.</p>}
      {furtherServices > 0 && (
        <p class="rest">{plural(furtherServices, 'further service')} not shown here.</p>
      )}
    </section>
  );
}

function countsText(states: readonly PublicState[]): string {
  const counts = new Map<string, number>();
  for (const state of states) {
    const word = stateWords[state].toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

interface PlannedProps {
  readonly plannedWork: readonly PlannedWork[];
  readonly nowSeconds: number;
  readonly time: ZonedTimes;
}

function Planned({ plannedWork, nowSeconds, time }: PlannedProps) {
  return (
    <ul class="plain">
      {plannedWork.map(({ fromSeconds, toSeconds, isUnderWay, services }) => (
        <li>
          <Time at={fromSeconds} time={time} /> to <Time at={toSeconds} time={time} />{' '}
          {isUnderWay && <span class="badge calm">under way</span>}
          <small>
            {isUnderWay
              ? `for another ${humanizeDuration(toSeconds - nowSeconds)}`
              : `in ${humanizeDuration(fromSeconds - nowSeconds)}, for ${humanizeDuration(toSeconds - fromSeconds)}`}
            :{' '}
            {services.map((name, place) => (
              <>
                {place > 0 && ', '}
                <Name text={name} />
              </>
            ))}
          </small>
        </li>
      ))}
    </ul>
  );
}

function Services({ status, time }: TimedProps) {
  const { services, nowSeconds } = status;
  return (
    <>
      <ul class="plain services">
        {services.map((service) => (
          <li>
            <h3>
              <Name text={service.name} /> <State {...{ service, status, time }} />
            </h3>
            <Days days={service.days} time={time} />
          </li>
        ))}
      </ul>
      <p class="ends">
        <span>{time.day(services[0]?.days[0]?.fromSeconds ?? nowSeconds)}</span>
        <span>now</span>
      </p>
      <Legend />
    </>
  );
}

/** Each state has the sign and the colour of one that the other views have. */
const signs: { readonly [S in PublicState]: ItemState } = {
  up: 'up',
  down: 'down',
  unconfirmed_down: 'unconfirmed_down',
  planned_work: 'paused',
  unknown: 'unknown',
  not_monitored: 'paused',
  not_known: 'unknown',
};

function State({ service, status, time }: TimedProps & { readonly service: PublicService }) {
  const { state, since, wasDown } = service;
  const { blind, nowSeconds } = status;
  return (
    <span class={`state s-${signs[state]}`}>
      <StateIcon state={signs[state]} /> {stateWords[state]}
      {state === 'not_known' && blind?.sinceSeconds === undefined && ' yet'}
      {blind?.sinceSeconds !== undefined && (
        <>
          {' since '}
          <Time at={blind.sinceSeconds} time={time} />
        </>
      )}{' '}
      {wasDown && <small>it was down then</small>}
      {since !== undefined && (
        <small>
          {since.isExact ? 'since' : 'since before'} <Time at={since.atSeconds} time={time} /> (
          {lengthText(since, nowSeconds)})
        </small>
      )}
    </span>
  );
}

function Days({ days, time }: { readonly days: readonly PublicDay[]; readonly time: ZonedTimes }) {
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${days.length} ${stripHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Last ${days.length} days: ${daysText(days)}`}
    >
      <Bars looks={days.map(dayLook)} />
      {days.map((day, place) => (
        <rect class="hit" x={place} width="1" height={stripHeight}>
          <title>
            {time.day(day.fromSeconds)}: {daysText([day])}
          </title>
        </rect>
      ))}
    </svg>
  );
}

const keys: readonly (readonly [colours: readonly string[], label: string])[] = [
  [['k-up'], 'up'],
  [['k-down slight', 'k-down partial', 'k-down heavy'], 'partly down: below 5 %, 25 %, 90 %'],
  [['k-down whole'], 'down'],
  [['k-excused whole'], 'planned work'],
  [['k-unknown whole'], 'unknown'],
  [['k-paused'], 'not monitored'],
  [['k-none'], 'no data'],
];

function Legend() {
  return (
    <p class="legend">
      <span class="key">A bar is a day:</span>
      {keys.map(([colours, label]) => (
        <span class="key">
          {colours.map((colour) => (
            <i class={colour} />
          ))}
          {label}
        </span>
      ))}
    </p>
  );
}

function Outages({ status, time }: TimedProps) {
  const { outages, furtherOutages, arePastsKnown } = status;
  return (
    <>
      {outages.length === 0 && (
        <p class="rest">
          {arePastsKnown ? 'No outage in the last 35 days.' : 'No outage is known.'}
        </p>
      )}
      {outages.length > 0 && (
        <Table class="stack" label="Outages" columns={['Service', 'Began', 'Ended', 'Length']}>
          {outages.map((outage) => (
            <Outage {...{ outage, status, time }} />
          ))}
        </Table>
      )}
      {furtherOutages > 0 && (
        <p class="rest">{plural(furtherOutages, 'older outage')} not shown.</p>
      )}
      {outages.length > 0 && !arePastsKnown && (
        <p class="rest">Further outages may not be known.</p>
      )}
    </>
  );
}

function Outage({ outage, status, time }: TimedProps & { readonly outage: PublicOutage }) {
  const { service, fromSeconds, beganBefore, toSeconds, goesOn, planned } = outage;
  const began = { atSeconds: fromSeconds, isExact: !beganBefore };
  const until = toSeconds ?? (goesOn ? status.nowSeconds : undefined);
  return (
    <tr>
      <th scope="row">
        <Name text={service} />
        {planned !== 'none' && (
          <small>{planned === 'whole' ? 'planned work' : 'partly planned work'}</small>
        )}
      </th>
      <td data-label="Began">
        {beganBefore && 'before '}
        <Time at={fromSeconds} time={time} />
      </td>
      <td data-label="Ended">
        {toSeconds !== undefined && <Time at={toSeconds} time={time} />}
        {toSeconds === undefined && (goesOn ? 'goes on' : 'not known')}
      </td>
      <td data-label="Length">{until === undefined ? '–' : lengthText(began, until)}</td>
    </tr>
  );
}
