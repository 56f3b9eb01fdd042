// @ts-check
/**
 * Refreshes the parts of a page with `data-live`, and filters the list while the reader types.
 * Without this script everything works with links and a form.
 */
(() => {
  const refreshMilliseconds = 30_000;
  const retryMilliseconds = 10_000;
  /** Longer than the start of an exporter with 25,000 checks. */
  const answerMilliseconds = 15_000;
  const typingMilliseconds = 250;
  const offlineTitle = '(no answer) ';
  let turn = 0;

  /**
   * The HTML of the parts as the exporter sent it; scripts change the parts in the document.
   *
   * @type {WeakMap<Element, string>}
   */
  const sources = new WeakMap();
  for (const part of document.querySelectorAll('[data-live]')) sources.set(part, part.innerHTML);

  /** @param {string} url @param {boolean} isRefresh */
  async function swap(url, isRefresh) {
    const own = ++turn;
    let page;
    try {
      const signal = AbortSignal.timeout(answerMilliseconds);
      const headers = { Accept: 'text/html' };
      const options = { headers, credentials: 'same-origin', cache: 'no-store', signal };
      const reply = await fetch(url, /** @type {RequestInit} */ (options));
      page = new DOMParser().parseFromString(await reply.text(), 'text/html');
      // A view of the exporter may say that something was removed. A proxy has no such view.
      const isMissing = [404, 410].includes(reply.status);
      const isView = isMissing && page.querySelector('[data-live="as-of"]') !== null;
      if (!reply.ok && !isView) throw new Error(`HTTP ${reply.status}`);
    } catch (error) {
      if (own === turn) showFailure(error);
      return;
    }
    // A later request has been sent, and may have its response already.
    if (own !== turn) return;
    removeFailure();
    document.title = page.title;
    const anchor = isRefresh ? anchorOfView() : undefined;
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = page.querySelector(`[data-live="${part.getAttribute('data-live')}"]`);
      if (next === null || next.innerHTML === sources.get(part)) continue;
      replace(part, next);
    }
    if (anchor !== undefined) keepInPlace(anchor);
    // A part that appears or disappears changes the whole page, and so does another version of the
    // exporter.
    const names = (/** @type {Document} */ from) =>
      [...from.querySelectorAll('[data-live], script[src]')]
        .map((part) => part.getAttribute('data-live') ?? part.getAttribute('src'))
        .join();
    if (names(page) !== names(document)) location.reload();
    document.dispatchEvent(new Event('viewchange'));
  }

  /** Keeps open details and the focus. @param {Element} part @param {Element} next */
  function replace(part, next) {
    const opened = new Map();
    for (const details of part.querySelectorAll('details')) opened.set(details.id, details.open);
    const focused = document.activeElement;
    const key = focused !== null && part.contains(focused) ? focusKey(focused) : undefined;
    part.innerHTML = next.innerHTML;
    sources.set(part, next.innerHTML);
    for (const details of part.querySelectorAll('details')) {
      const open = opened.get(details.id);
      if (open !== undefined) details.open = open;
    }
    if (key !== undefined) find(part, key)?.focus({ preventScroll: true });
  }

  /** @param {Element} element */
  function focusKey(element) {
    if (element.id !== '') return `#${CSS.escape(element.id)}`;
    if (element.matches('summary'))
      return `#${CSS.escape(element.parentElement?.id ?? '')} > summary`;
    const href = element.getAttribute('href');
    return href === null ? undefined : `a[href="${CSS.escape(href)}"]`;
  }

  /** @param {Element} part @param {string} selector @returns {HTMLElement | null} */
  function find(part, selector) {
    return part.querySelector(selector);
  }

  /** Returns the element whose position is kept: the focused or the first visible one. */
  function anchorOfView() {
    if (scrollY === 0) return undefined;
    const focused = document.activeElement === document.body ? [] : [document.activeElement];
    for (const element of [...focused, ...document.querySelectorAll('main a, main summary, h2')]) {
      if (element === null) continue;
      const { top } = element.getBoundingClientRect();
      if (top < 0 || top > innerHeight) continue;
      const part = element.closest('[data-live]')?.getAttribute('data-live');
      const key = focusKey(element);
      if (key === undefined) continue;
      return { selector: part == null ? key : `[data-live="${part}"] ${key}`, top };
    }
    return undefined;
  }

  /** @param {{ selector: string, top: number }} anchor */
  function keepInPlace({ selector, top }) {
    const element = document.querySelector(selector);
    if (element === null) return;
    scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
  }

  /** The time of the first failure since the last success. @type {Date | undefined} */
  let failedAt;
  const banner = document.createElement('p');
  banner.className = 'offline-note';
  banner.setAttribute('role', 'alert');

  /** Shows at the top and in the title that the view may be out of date. @param {unknown} error */
  function showFailure(error) {
    console.warn('refresh failed:', error);
    const asOf = document.querySelector('[data-live="as-of"]')?.textContent?.trim() ?? '';
    const answer = error instanceof Error && /^HTTP /.test(error.message) ? error.message : '';
    const words =
      answer === '' ? 'The exporter does not answer.' : `The exporter cannot be read: ${answer}.`;
    failedAt ??= new Date();
    const since = failedAt.toLocaleTimeString('sv-SE');
    const text = `${words} What follows is old: ${asOf.replace(/^As/, 'as')}. No answer since ${since}; trying again every ${retryMilliseconds / 1000} s.`;
    if (banner.textContent !== text) banner.textContent = text;
    if (!banner.isConnected) document.body.prepend(banner);
    document.documentElement.classList.add('offline');
    if (!document.title.startsWith(offlineTitle)) document.title = offlineTitle + document.title;
  }

  function removeFailure() {
    failedAt = undefined;
    banner.remove();
    document.documentElement.classList.remove('offline');
  }

  function addressOfForm() {
    const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-filters]'));
    if (form === null) return undefined;
    const parameters = new URLSearchParams();
    const known = new URLSearchParams(location.search);
    for (const name of ['sort', 'order', 'window', 'group']) {
      const value = known.get(name);
      if (value !== null) parameters.set(name, value);
    }
    for (const [name, value] of new FormData(form)) {
      if (['sort', 'order', 'window', 'group'].includes(name)) continue;
      if (value !== '' && typeof value === 'string') parameters.set(name, value);
    }
    return `${location.pathname}?${parameters}`;
  }

  /** Sets the form to the values of the address. */
  function fillForm() {
    const form = document.querySelector('[data-filters]');
    if (form === null) return;
    const parameters = new URLSearchParams(location.search);
    for (const field of form.querySelectorAll('select, input[type=search]')) {
      const input = /** @type {HTMLSelectElement | HTMLInputElement} */ (field);
      if (input === document.activeElement && input.matches('input')) continue;
      const value = parameters.get(input.name) ?? (input.name === 'size' ? '50' : '');
      if (
        input instanceof HTMLSelectElement &&
        ![...input.options].some((o) => o.value === value)
      ) {
        input.add(new Option(value, value));
      }
      input.value = value;
    }
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof Element) || target.closest('[data-filters]') === null) return;
    clearTimeout(typing);
    typing = setTimeout(applyForm, target.matches('select') ? 0 : typingMilliseconds);
  });
  document.addEventListener('submit', (event) => {
    if (!(event.target instanceof Element) || !event.target.matches('[data-filters]')) return;
    event.preventDefault();
    clearTimeout(typing);
    applyForm();
  });

  function applyForm() {
    const address = addressOfForm();
    if (address === undefined) return;
    history.replaceState(null, '', address);
    void swap(address, false);
  }

  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href*="#list"]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.pathname !== location.pathname) return;
    if (link.closest('header') !== null) return;
    event.preventDefault();
    const isOutside = link.closest('[data-live="list"]') === null;
    const address = link.pathname + link.search;
    history.pushState(null, '', address);
    fillForm();
    void swap(address, false).then(() => {
      if (isOutside) document.getElementById('list')?.scrollIntoView();
    });
  });
  addEventListener('popstate', () => {
    fillForm();
    void swap(location.pathname + location.search, false);
  });

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  /** One refresh at a time. The next one is sooner if the exporter did not respond. */
  async function refresh() {
    clearTimeout(waiting);
    if (document.visibilityState !== 'visible') return;
    await swap(location.pathname + location.search, true);
    clearTimeout(waiting);
    waiting = setTimeout(refresh, failedAt === undefined ? refreshMilliseconds : retryMilliseconds);
  }

  waiting = setTimeout(refresh, refreshMilliseconds);
  document.addEventListener('visibilitychange', () => void refresh());
  // A view from the browser's memory may be hours old.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void refresh();
  });
})();
