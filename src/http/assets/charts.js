// @ts-check
/** Draws a chart in which values can be read. */
(() => {
  /** The function that removes the chart of each figure. @type {Map<Element, () => void>} */
  const drawn = new Map();
  /**
   * The hours into which the reader has zoomed, in UNIX seconds; a refresh draws the chart again.
   *
   * @type {{ min: number, max: number } | undefined}
   */
  let zoomed;

  /**
   * Removes the charts that are no longer in the document, or all charts.
   * @param {boolean} all
   */
  function removeCharts(all) {
    for (const [figure, remove] of drawn) {
      if (!all && figure.isConnected) continue;
      remove();
      drawn.delete(figure);
    }
  }

  /**
   * A colour of the style sheet in a form that a canvas accepts.
   * @param {Element} figure
   * @param {string} name
   */
  function colourOf(figure, name) {
    const probe = document.createElement('span');
    probe.className = `probe ${name}`;
    figure.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  /** @param {number | null | undefined} value */
  function words(value) {
    if (value == null) return '–';
    return value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(2)} s`;
  }

  const hourAndMinute = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' });
  const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
  const dateAndTime = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

  /**
   * The hour in the reader's zone. Summer time may have begun or ended since that hour.
   * @param {unknown} _chart
   * @param {number | null | undefined} at in UNIX seconds
   */
  function hourText(_chart, at) {
    if (at == null) return '–';
    const parts = zone.formatToParts(at * 1000);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${dateAndTime.format(at * 1000)} ${name.replace('GMT', 'UTC')}`;
  }

  /**
   * @param {unknown} _chart
   * @param {number[]} splits
   * @param {number} _axis
   * @param {number} _space
   * @param {number} step in seconds
   */
  function labelsOfTimes(_chart, splits, _axis, _space, step) {
    const format = step < 86_400 ? hourAndMinute : dayAndMonth;
    return splits.map((at) => format.format(at * 1000));
  }

  /**
   * Draws both quantiles as lines over the time of their tests.
   * @param {any} quantiles
   * @param {(name: string) => string} colour
   */
  function drawQuantiles(quantiles, colour) {
    return (/** @type {any} */ chart) => {
      const { ctx, bbox } = chart;
      const { min, max } = chart.scales.x;
      if (quantiles.toSeconds < min || quantiles.fromSeconds > max) return;
      const inside = (/** @type {number} */ at) =>
        Math.min(bbox.left + bbox.width, Math.max(bbox.left, chart.valToPos(at, 'x', true)));
      const [from, to] = [inside(quantiles.fromSeconds), inside(quantiles.toSeconds)];
      // Of a span of minutes within days, at least a mark.
      const least = 6 * devicePixelRatio;
      const begin = Math.min(from, to - least);
      ctx.save();
      for (const [name, value] of [
        ['p50', quantiles.p50Seconds],
        ['p95', quantiles.p95Seconds],
      ]) {
        const y = chart.valToPos(value, 'y', true);
        ctx.strokeStyle = colour(`c-${name}`);
        ctx.lineWidth = 3 * devicePixelRatio;
        ctx.beginPath();
        ctx.moveTo(begin, y);
        ctx.lineTo(to, y);
        ctx.stroke();
      }
      ctx.restore();
    };
  }

  function drawCharts() {
    const Chart = /** @type {any} */ (globalThis).uPlot;
    if (Chart === undefined) return;
    removeCharts(false);
    for (const figure of document.querySelectorAll('[data-chart]')) {
      if (drawn.has(figure)) continue;
      if (figure instanceof HTMLElement) figure.hidden = false;
      const { columns, quantiles } = JSON.parse(figure.getAttribute('data-chart') ?? '{}');
      const from = Number(figure.getAttribute('data-from'));
      const to = Number(figure.getAttribute('data-to'));
      const colour = (/** @type {string} */ name) => colourOf(figure, name);
      const axis = {
        stroke: colour('c-soft'),
        grid: { stroke: colour('c-line'), width: 1 },
        ticks: { show: false },
      };
      const size = () => ({ width: figure.clientWidth, height: 240 });
      const highest = Math.max(...columns[1].filter(Number.isFinite), quantiles?.p95Seconds ?? 0);
      const chart = new Chart(
        {
          ...size(),
          cursor: { drag: { x: true, y: false } },
          scales: {
            x: {
              // The whole range, unless the reader has zoomed into some of its hours.
              range: (
                /** @type {unknown} */ _chart,
                /** @type {number} */ min,
                /** @type {number} */ max,
              ) => (min === columns[0][0] && max === columns[0].at(-1) ? [from, to] : [min, max]),
            },
            y: { range: () => [0, highest * 1.1] },
          },
          axes: [
            {
              ...axis,
              space: 60,
              incrs: [1, 4, 24, 48, 120].map((hours) => hours * 3_600),
              values: labelsOfTimes,
            },
            {
              ...axis,
              size: 64,
              values: (/** @type {unknown} */ _chart, /** @type {number[]} */ splits) =>
                splits.map(words),
            },
          ],
          series: [
            { label: 'Hour', value: hourText },
            {
              label: 'Average',
              stroke: colour('c-average'),
              width: 2,
              value: (/** @type {unknown} */ _chart, /** @type {number} */ value) => words(value),
            },
          ],
          hooks: quantiles === null ? {} : { draw: [drawQuantiles(quantiles, colour)] },
        },
        columns,
        figure,
      );
      const observer = new ResizeObserver(() => chart.setSize(size()));
      observer.observe(figure);
      if (zoomed !== undefined) chart.setScale('x', zoomed);
      const remove = () => {
        const { min, max } = chart.scales.x;
        zoomed = min > from || max < to ? { min, max } : undefined;
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
  document.addEventListener('viewchange', drawCharts);
  drawCharts();
})();
