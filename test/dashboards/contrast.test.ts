import { expect, test } from 'vitest';
import { colours } from '../../dashboards/source/colours.ts';

/** The minimum contrast of large text and graphics: WCAG 2.1, criteria 1.4.3 and 1.4.11. */
const leastContrast = 3;

/** The relative luminance of a colour such as `#0072b2` (WCAG 2.1). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(colour.slice(place, place + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** `colors.background.primary` of the themes that `createTheme` of `@grafana/data` makes. */
const panels = { light: '#ffffff', dark: '#181b1f' };

test.each(Object.entries(panels))('on a %s panel every colour can be seen', (_, background) => {
  const faint = Object.entries(colours).filter(
    ([, colour]) => contrast(colour, background) < leastContrast,
  );

  expect(faint).toEqual([]);
});
