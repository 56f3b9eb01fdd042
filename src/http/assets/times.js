// @ts-check
/** Shows times in the reader's zone and UTC, and makes badge addresses absolute. */
(() => {
  const [date, time] = [
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }),
    new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' }),
  ];
  const withSeconds = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'medium' });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

  /** @param {HTMLTimeElement} element */
  function localise(element) {
    const at = new Date(element.dateTime);
    const utc = element.textContent ?? '';
    if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) return;
    const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const zoneText = name.replace('GMT', 'UTC');
    const clock = /:\d\d:/.test(utc) ? withSeconds : time;
    const beside = document.createElement('small');
    beside.className = 'utc';
    const day = date.format(at);
    // The date is shown once, and omitted for today, except in the date of the whole view.
    beside.textContent = utc.startsWith(day) ? utc.slice('2026-01-05 '.length) : utc;
    const isToday = day === date.format(new Date()) && element.closest('.as-of') === null;
    element.replaceChildren(`${isToday ? '' : `${day} `}${clock.format(at)} ${zoneText} `, beside);
  }

  /** @param {ParentNode} within */
  function update(within) {
    for (const element of within.querySelectorAll('time')) {
      if (element.dataset.zoned !== undefined) continue;
      if (element.querySelector('.utc') === null) localise(element);
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
