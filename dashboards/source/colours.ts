/**
 * Colours of Okabe and Ito, which colour-blind people can tell apart. The grey has a contrast of
 * 3:1 in light and dark themes, as large text needs.
 */
export const colours = {
  good: '#0072B2',
  warning: '#E69F00',
  bad: '#D55E00',
  neutral: '#8C8C8C',
  paused: '#56B4E9',
  maintenance: '#CC79A7',
} as const;
