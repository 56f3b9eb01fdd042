/** The forms of the report, and the library that renders two of them. */
export { sendHtml } from '../../http/common/html-response.ts';
export { reportCsv, reportOutagesCsv } from './csv.ts';
export { groupMonthsPart } from './group-part.tsx';
export { reportJson } from './json.ts';
export { lineMonths } from './line-months.ts';
export { reportMail } from './mail.tsx';
export { maxLines } from './report-table.tsx';
export { reportText } from './text.ts';
export { reportView } from './view.tsx';
