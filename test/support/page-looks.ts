import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserPage } from './chromium.ts';

export const viewports = [
  { name: 'desktop', width: 1280, height: 900, scheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, scheme: 'dark' },
  { name: 'laptop', width: 1366, height: 768, scheme: 'light' },
  { name: 'wide', width: 1920, height: 1080, scheme: 'dark' },
  { name: 'phone', width: 390, height: 844, scheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, scheme: 'dark' },
  { name: 'small-phone', width: 320, height: 568, scheme: 'light' },
] as const;

/** With SCREENSHOTS=<folder>, pictures of the browser are stored for people. */
export async function keepScreenshot(name: string, page: BrowserPage): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), await page.screenshot());
}

/** The pixels by which the page is wider than the window. */
export const overhang =
  'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Elements that extend into the margin of their section, or beyond, without being cut off. */
export const outsideTheirSection = `[...document.querySelectorAll('section *')]
  .filter((element) => {
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'hidden') return false;
    }
    return true;
  })
  .filter((element) => {
    const section = element.closest('section');
    const margin = parseFloat(getComputedStyle(section).paddingRight);
    const edge = section.getBoundingClientRect().right - margin;
    return element.getBoundingClientRect().right > edge + 1;
  })
  .map((element) => element.outerHTML)`;

/** The colour scheme of the page. */
export const luminanceOfPage = `getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)
  .reduce((sum, part) => sum + part) > 384 ? 'light' : 'dark'`;

/** Texts below the contrast of 4.5 to 1 that WCAG 2.2, success criterion 1.4.3, requires. */
export const faintTexts = `(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const luminance = ([red, green, blue]) =>
    0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  const background = (element) => {
    const colour = parts(getComputedStyle(element).backgroundColor);
    return colour[3] === 0 ? background(element.parentElement) : colour;
  };
  const hasText = ({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  return [...document.querySelectorAll('body *')].filter(hasText).filter((element) => {
    const levels = [parts(getComputedStyle(element).color), background(element)].map(luminance);
    return (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05) < 4.5;
  }).map((element) => element.outerHTML);
})()`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The findings of axe, of any impact, with their elements. */
export async function accessibilityFindings(page: BrowserPage): Promise<unknown> {
  await page.evaluate(`${axe}; undefined`);
  // The sizes of targets (WCAG 2.2, success criterion 2.5.8) are not among axe's defaults.
  const options = "{ rules: { 'target-size': { enabled: true } } }";
  return page.evaluate(`axe.run(document, ${options}).then(({ violations }) => violations
    .map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))]))`);
}

/** Words of up to twelve letters in cells that are broken over two lines. */
export const brokenWords = `[...document.querySelectorAll('td, td *')].flatMap((cell) =>
  [...cell.childNodes].filter(({ nodeType }) => nodeType === 3).flatMap((text) =>
    [...text.data.matchAll(/(?<!\\S)[a-z]{1,12}(?!\\S)/gi)].filter(({ 0: word, index }) => {
      const range = new Range();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    }).map(([word]) => word)))`;
