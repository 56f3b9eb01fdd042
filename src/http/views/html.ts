/** What only pages need: the views and the library that renders them. */
export { badgeSvg } from '../badge.ts';
export { budgetView } from './budget-view.tsx';
export { groupItems, groupsView, groupView } from './group-view.tsx';
export { homeView } from './home.tsx';
export { sendHtml } from './html-response.ts';
export { itemView } from './item-view/item-view.tsx';
export { leftItemView } from './left-item.tsx';
export { notFoundView } from './not-found.tsx';
export { outagesView } from './outages-view.tsx';
export { runbookView } from './runbook.tsx';
