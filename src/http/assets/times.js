// @ts-check
/** Shows times in the reader's zone and UTC, and makes badge addresses absolute. */
(() => {
  const [date, time] = [
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }),
    new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' }),
  ];
  const withSeconds = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'medium' });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });
  /** The texts in UTC of the times that are shown in the reader's zone. @type {WeakMap<Element, string>} */
  const texts = new WeakMap();
  /** The day for which they are shown. A refresh leaves parts that have not changed. */
  let today = date.format(new Date());

  /** @param {HTMLTimeElement} element */
  function localise(element) {
    const at = new Date(element.dateTime);
    const utc = texts.get(element) ?? element.textContent ?? '';
    if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) return;
    const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const zoneText = name.replace('GMT', 'UTC');
    const clock = /:\d\d:/.test(utc) ? withSeconds : time;
    const beside = document.createElement('small');
    beside.className = 'utc';
    const day = date.format(at);
    // The date is shown once, and omitted for today, except in the date of the whole view.
    beside.textContent = utc.startsWith(day) ? utc.slice('2026-01-05 '.length) : utc;
    const isToday = day === today && element.closest('.as-of') === null;
    texts.set(element, utc);
    element.replaceChildren(`${isToday ? '' : `${day} `}${clock.format(at)} ${zoneText} `, beside);
  }

  /** @param {ParentNode} within */
  function update(within) {
    const day = date.format(new Date());
    const isNextDay = day !== today;
    today = day;
    for (const element of within.querySelectorAll('time')) {
      if (element.dataset.zoned !== undefined) continue;
      if (isNextDay || !texts.has(element)) localise(element);
    }
    for (const code of within.querySelectorAll('[data-address]')) {
      const address = code.getAttribute('data-address') ?? '';
      const text = code.textContent ?? '';
      code.textContent = text.replace(address, new URL(address, location.href).href);
      code.removeAttribute('data-address');
    }
  }

  document.addEventListener('viewchange', () => update(document));
  update(document);
})();
