/** From the palette of Okabe and Ito, which colour-blind people can tell apart. */
export const colours = {
  good: '#0072B2',
  warning: '#E69F00',
  bad: '#D55E00',
  neutral: '#999999',
  paused: '#56B4E9',
  maintenance: '#CC79A7',
} as const;
