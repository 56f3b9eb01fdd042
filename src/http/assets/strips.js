// @ts-check
/** Shows the time and the state of the bar under the pointer. */
(() => {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  tip.setAttribute('aria-hidden', 'true');
  document.body.append(tip);

  const units = /** @type {const} */ ([
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ]);

  /** A duration in its two largest units, rounded down. @param {number} seconds */
  function duration(seconds) {
    const first = units.findIndex(([, size]) => seconds >= size);
    if (first === -1) return '0 s';
    let rest = seconds;
    const words = [];
    for (const [name, size] of units.slice(first, first + 2)) {
      const count = Math.floor(rest / size);
      rest -= count * size;
      if (count > 0) words.push(`${count} ${name}`);
    }
    return words.join(' ');
  }

  const states = new Map([
    ['u', 'up'],
    ['p', 'not monitored'],
    ['n', 'not known yet'],
  ]);

  /** The code of a bar in words, such as `d60` for down 1 min. @param {string} code */
  function describe(code) {
    const known = states.get(code);
    if (known !== undefined) return known;
    const parts = [...code.matchAll(/([dmk])(\d+)/g)];
    return parts
      .map(([, state, seconds]) => {
        const length = duration(Number(seconds));
        if (state === 'k') return `unknown ${length}`;
        return state === 'd' ? `down ${length}` : `down ${length} in maintenance`;
      })
      .join(', ');
  }

  /** The code of each bar: `28u d60` is 29 of them. @param {readonly string[]} runs */
  function decode(runs) {
    return runs.flatMap((run) => {
      const [, count = '', code = ''] = /^(\d*)(.*)$/.exec(run) ?? [];
      return Array(Number(count || 1)).fill(code);
    });
  }

  const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

  /** @param {number} from @param {number} to in UNIX seconds */
  function span(from, to) {
    const name = zone.formatToParts(from * 1000).find(({ type }) => type === 'timeZoneName')?.value;
    const isWithinDay = to - from < 86_400;
    return `${day.format(from * 1000)} – ${(isWithinDay ? time : day).format(to * 1000)} ${name}`;
  }

  /** @param {PointerEvent} event */
  function show(event) {
    const strip =
      event.target instanceof Element ? event.target.closest('svg.strip[data-bars]') : null;
    if (strip === null) {
      tip.hidden = true;
      return;
    }
    const [from, step, ...runs] = (strip.getAttribute('data-bars') ?? '').split(' ');
    const codes = decode(runs);
    const { left, width, top } = strip.getBoundingClientRect();
    const pointed = Math.floor(((event.clientX - left) * codes.length) / width);
    const place = Math.min(codes.length - 1, Math.max(0, pointed));
    const code = codes[place];
    if (code === undefined) return;
    const start = Number(from) + place * Number(step);
    tip.textContent = `${span(start, start + Number(step))}: ${describe(code)}`;
    tip.hidden = false;
    const x = Math.min(event.clientX - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(8, x) + scrollX}px`;
    tip.style.top = `${top + scrollY - tip.offsetHeight - 6}px`;
  }

  /** Without this, the browser would show the text of a bar twice. */
  function removeTitles() {
    for (const title of document.querySelectorAll('.strip title')) title.remove();
  }

  document.addEventListener('pointermove', show);
  document.addEventListener('pointerdown', show);
  document.addEventListener('viewchange', removeTitles);
  removeTitles();
})();
