/** What only people need: the view and the library that renders it. */
export { sendHtml } from '../../http/views/html-response.ts';
export { groupMonthsPart } from './group-part.tsx';
export { reportText } from './text.ts';
export { reportView } from './view.tsx';
