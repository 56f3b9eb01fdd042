/**
 * Colours of Okabe and Ito, which colour-blind people can tell apart, a little darker: each colour
 * has a contrast of 3:1 on Grafana's light and dark panels, as large text needs.
 */
export const colours = {
  good: '#0072B2',
  warning: '#C58800',
  bad: '#BF5400',
  neutral: '#8C8C8C',
  paused: '#499AC8',
  maintenance: '#CC79A7',
} as const;

/** Shown where there is no data; the first row of a board says why. */
export const nothing = '–';
