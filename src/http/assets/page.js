// @ts-check
/**
 * Refreshes the parts of a page that are marked with `data-live`, and lets its list be searched while one types.
 * Everything works without it, by links and a form.
 */
(() => {
  const refreshMilliseconds = 30_000;
  const typingMilliseconds = 250;
  let turn = 0;

  /** @param {string} url @param {boolean} isRefresh */
  async function swap(url, isRefresh) {
    const own = ++turn;
    let page;
    try {
      const reply = await fetch(url, { credentials: 'same-origin', cache: 'no-store' });
      if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
      page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    } catch (error) {
      tellFailure(error);
      return;
    }
    // A later request has been sent, or has been answered already.
    if (own !== turn) return;
    document.documentElement.classList.remove('offline');
    document.title = page.title;
    const anchor = isRefresh ? anchorOfView() : undefined;
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = page.querySelector(`[data-live="${part.getAttribute('data-live')}"]`);
      if (next === null || next.innerHTML === part.innerHTML || hasSameChart(part, next)) continue;
      replace(part, next);
    }
    if (anchor !== undefined) keepInPlace(anchor);
    // A part that has come or gone changes the page as a whole.
    const names = (/** @type {Document} */ from) =>
      [...from.querySelectorAll('[data-live]')]
        .map((part) => part.getAttribute('data-live'))
        .join();
    if (names(page) !== names(document)) location.reload();
    drawCharts();
  }

  /** A chart that is drawn differs from its source, and is zoomed perhaps: it stays while its data do. @param {Element} part @param {Element} next */
  function hasSameChart(part, next) {
    const chart = part.querySelector('[data-chart].drawn');
    const source = next.querySelector('[data-chart]');
    return (
      chart !== null && chart.getAttribute('data-chart') === source?.getAttribute('data-chart')
    );
  }

  /** Keeps what is open, and where the focus is. @param {Element} part @param {Element} next */
  function replace(part, next) {
    const opened = new Map();
    for (const details of part.querySelectorAll('details')) opened.set(details.id, details.open);
    const focused = document.activeElement;
    const key = focused !== null && part.contains(focused) ? focusKey(focused) : undefined;
    part.innerHTML = next.innerHTML;
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

  /** What is to stay in its place on the screen: what has the focus, or else what is seen first. */
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

  /** @param {unknown} error */
  function tellFailure(error) {
    document.documentElement.classList.add('offline');
    console.warn('refresh failed:', error);
  }

  function addressOfForm() {
    const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-filters]'));
    if (form === null) return undefined;
    const parameters = new URLSearchParams();
    const known = new URLSearchParams(location.search);
    for (const name of ['sort', 'order', 'window']) {
      const value = known.get(name);
      if (value !== null) parameters.set(name, value);
    }
    for (const [name, value] of new FormData(form)) {
      if (['sort', 'order', 'window'].includes(name)) continue;
      if (value !== '' && typeof value === 'string') parameters.set(name, value);
    }
    return `${location.pathname}?${parameters}`;
  }

  /** The form says what the address says. */
  function fillForm() {
    const form = document.querySelector('[data-filters]');
    if (form === null) return;
    const parameters = new URLSearchParams(location.search);
    for (const field of form.querySelectorAll('select, input[type=search]')) {
      const input = /** @type {HTMLSelectElement | HTMLInputElement} */ (field);
      if (input === document.activeElement && input.matches('input')) continue;
      const value = parameters.get(input.name) ?? (input.name === 'size' ? '25' : '');
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
    if (!(link instanceof HTMLAnchorElement)) return;
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

  /** How to remove the chart of each figure. @type {Map<Element, () => void>} */
  const drawn = new Map();

  /** Forgets charts that have left the page, or all. @param {boolean} all */
  function removeCharts(all) {
    for (const [figure, remove] of drawn) {
      if (!all && figure.isConnected) continue;
      remove();
      drawn.delete(figure);
    }
  }

  /** Puts a chart in which values can be read in place of each drawing. */
  function drawCharts() {
    const Chart = /** @type {any} */ (globalThis).uPlot;
    if (Chart === undefined) return;
    removeCharts(false);
    for (const figure of document.querySelectorAll('[data-chart]')) {
      const json = figure.getAttribute('data-chart') ?? '[]';
      if (drawn.has(figure)) continue;
      figure.classList.add('drawn');
      const data = JSON.parse(json);
      const colour = (/** @type {string} */ name) =>
        getComputedStyle(figure).getPropertyValue(name).trim();
      const words = (/** @type {number | null | undefined} */ value) =>
        value == null
          ? '–'
          : value < 1
            ? `${Math.round(value * 1000)} ms`
            : `${value.toFixed(2)} s`;
      const axis = {
        stroke: colour('--soft'),
        grid: { stroke: colour('--line'), width: 1 },
        ticks: { show: false },
      };
      const line = (
        /** @type {string} */ label,
        /** @type {string} */ stroke,
        /** @type {object} */ more,
      ) => ({
        label,
        stroke: colour(stroke),
        width: 2,
        value: (/** @type {unknown} */ _chart, /** @type {number} */ value) => words(value),
        ...more,
      });
      const size = () => ({ width: figure.clientWidth, height: 240 });
      const chart = new Chart(
        {
          ...size(),
          tzDate: (/** @type {number} */ at) => Chart.tzDate(new Date(at * 1000), 'Etc/UTC'),
          cursor: { drag: { x: true, y: false } },
          scales: {
            y: {
              range: (
                /** @type {unknown} */ _chart,
                /** @type {number} */ _min,
                /** @type {number} */ max,
              ) => [0, max * 1.1],
            },
          },
          axes: [
            {
              ...axis,
              space: 100,
              values: (/** @type {unknown} */ _chart, /** @type {number[]} */ splits) =>
                splits.map((at) =>
                  new Date(at * 1000).toISOString().slice(5, 16).replace('T', ' '),
                ),
            },
            {
              ...axis,
              size: 64,
              values: (/** @type {unknown} */ _chart, /** @type {number[]} */ splits) =>
                splits.map(words),
            },
          ],
          series: [
            { label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
            line('Hourly average', '--link', {
              fill: `color-mix(in srgb, ${colour('--link')} 12%, transparent)`,
            }),
            line('p50', '--up', { spanGaps: true }),
            line('p95', '--unconfirmed', { spanGaps: true, dash: [6, 4] }),
          ],
        },
        data,
        figure,
      );
      const observer = new ResizeObserver(() => chart.setSize(size()));
      observer.observe(figure);
      const remove = () => {
        observer.disconnect();
        chart.destroy();
      };
      drawn.set(figure, remove);
    }
  }

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    removeCharts(true);
    drawCharts();
  });
  drawCharts();

  setInterval(() => {
    if (document.visibilityState === 'visible')
      void swap(location.pathname + location.search, true);
  }, refreshMilliseconds);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible')
      void swap(location.pathname + location.search, true);
  });
})();
