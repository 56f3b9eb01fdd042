// @ts-check
/** Shows the time and the state of the bar under the pointer. */
(() => {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  tip.setAttribute('aria-hidden', 'true');
  document.body.append(tip);

  const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

  /** Summer time may begin or end within a bar. @param {number} at in UNIX seconds */
  function zoneAt(at) {
    const parts = zone.formatToParts(at * 1000);
    return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC');
  }

  /** @param {number} from @param {number} to in UNIX seconds */
  function span(from, to) {
    const isWithinDay = to - from < 86_400;
    const [begin, end] = [day.format(from * 1000), (isWithinDay ? time : day).format(to * 1000)];
    const [before, after] = [zoneAt(from), zoneAt(to)];
    return `${begin}${before === after ? '' : ` ${before}`} – ${end} ${after}`;
  }

  /** @param {PointerEvent} event */
  function show(event) {
    const strip =
      event.target instanceof Element ? event.target.closest('svg.strip[data-bars]') : null;
    if (strip === null) {
      tip.hidden = true;
      return;
    }
    const [from, step, ...runs] = (strip.getAttribute('data-bars') ?? '').split('|');
    const texts = runs.flatMap((run) => {
      const [count = ''] = run.split(' ', 1);
      return Array(Number(count)).fill(run.slice(count.length + 1));
    });
    const { left, width, top } = strip.getBoundingClientRect();
    const pointed = Math.floor(((event.clientX - left) * texts.length) / width);
    const place = Math.min(texts.length - 1, Math.max(0, pointed));
    const text = texts[place];
    if (text === undefined) return;
    const start = Number(from) + place * Number(step);
    tip.textContent = `${span(start, start + Number(step))}: ${text}`;
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
