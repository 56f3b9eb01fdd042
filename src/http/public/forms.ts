/** What only public pages need: their data, their view and the library that renders it. */
export { publicJson } from './public-json.ts';
export { publicStatus } from './public-status.ts';
export { publicView } from './public-view.tsx';
