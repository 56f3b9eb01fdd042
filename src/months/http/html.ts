/** What only the page needs: the view and the library that renders it. */
export { sendHtml } from '../../http/views/html-response.ts';
export { groupMonthsPart } from './group-part.tsx';
export { reportView } from './view.tsx';
