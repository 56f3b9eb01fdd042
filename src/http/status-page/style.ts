import { createHash } from 'node:crypto';
import { Html } from './html.ts';

const css = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--link:#0550ae;
--up:#007a5a;--down:#c2410c;--unconfirmed:#9a6700;--unknown:#656d76;--paused:#0969da;--track:#e3e7ec;--on:#fff;
--good-bg:#d7f5e9;--good-ink:#00563f;--warn-bg:#fff1c9;--warn-ink:#6b4700;--bad-bg:#ffe3d6;--bad-ink:#8f2d04;--calm-bg:#dcecff;--calm-ink:#0a4a94}
@media (prefers-color-scheme:dark){:root{--page:#0d1117;--card:#161b22;--ink:#e6edf3;--soft:#9aa4af;--line:#30363d;--link:#79b8ff;
--up:#2bbf92;--down:#ff8a57;--unconfirmed:#e3b341;--unknown:#9aa4af;--paused:#6cb2ff;--track:#2b323b;--on:#0d1117;
--good-bg:#0f3d30;--good-ink:#7ee2bf;--warn-bg:#453507;--warn-ink:#f5d37a;--bad-bg:#4c2210;--bad-ink:#ffb596;--calm-bg:#10315a;--calm-ink:#a5d0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:64rem;margin:0 auto;padding:1rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;justify-content:space-between;padding-top:1.5rem}
h1,h2,h3,h4,p,ul{margin:0}
h1{font-size:1.5rem;letter-spacing:-.01em}
h2{font-size:1.25rem;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center}
h3{font-size:1rem;margin:1.75rem 0 .5rem}
h4{font-size:.9375rem;display:flex;flex-wrap:wrap;gap:0 .5rem;justify-content:space-between;align-items:baseline}
small{font-size:.8125rem;font-weight:400;color:var(--soft)}
h1 small{font-size:.9375rem}
a{color:var(--link);text-underline-offset:.2em}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
nav ul,.accounts{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;list-style:none}
.accounts{gap:.5rem 1.5rem;margin-bottom:1rem}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem 1.5rem 1.5rem;margin-bottom:1.25rem}
.lead{margin-top:.25rem}
.facts,footer{color:var(--soft);font-size:.875rem}
.badge{display:inline-block;border-radius:99px;padding:.1rem .7rem;font-size:.8125rem;font-weight:600;white-space:nowrap}
.good{background:var(--good-bg);color:var(--good-ink)}.warn{background:var(--warn-bg);color:var(--warn-ink)}
.bad{background:var(--bad-bg);color:var(--bad-ink)}.calm{background:var(--calm-bg);color:var(--calm-ink)}
.note{border-radius:8px;padding:.75rem 1rem;margin-top:.75rem;font-size:.9375rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.75rem,1fr));gap:.625rem;padding:0;list-style:none}
.tile{display:grid;grid-template-columns:auto 1fr;column-gap:.625rem;align-items:center;border:1px solid var(--line);border-radius:8px;padding:.625rem .75rem}
.tile b{font-size:1.375rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tile span{grid-column:1/-1;font-size:.8125rem;color:var(--soft)}
.tile.none b{font-weight:400;color:var(--soft)}
.icon{width:1.125rem;height:1.125rem;fill:currentColor;flex:none;vertical-align:-.2rem}
.sign{fill:none;stroke:var(--on);stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.tile .icon{width:1.375rem;height:1.375rem}
.s-up{color:var(--up)}.s-down{color:var(--down)}.s-unconfirmed_down{color:var(--unconfirmed)}.s-unknown{color:var(--unknown)}.s-paused{color:var(--paused)}
.strips{padding:0;list-style:none}
.strips li{display:grid;grid-template-columns:minmax(0,15rem) minmax(0,1fr) minmax(0,14rem);gap:0 1rem;align-items:center;padding:.3rem 0;border-bottom:1px solid var(--line);font-size:.875rem}
.who{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sum{color:var(--soft);font-size:.8125rem;font-variant-numeric:tabular-nums}
.strip{display:block;width:100%;height:20px;border-radius:3px}
.strip .track{fill:var(--track);opacity:.55}
.d-up{fill:var(--up)}.d-down{fill:var(--down)}.d-unknown{fill:var(--unknown)}.d-unmonitored{fill:var(--paused)}
.key{white-space:nowrap;margin-inline-start:.5rem}
.key i{display:inline-block;width:.7em;margin-inline-end:.3em;vertical-align:baseline}
.k-up{background:var(--up);height:.55em}.k-down{background:var(--down);height:.9em}.k-unknown{background:var(--unknown);height:.4em}.k-unmonitored{background:var(--paused);height:.2em}
h3~h4{margin-top:1.25rem}
details{margin-top:.5rem}summary{cursor:pointer;color:var(--link);font-size:.875rem}
.rest{color:var(--soft);font-size:.875rem;margin-top:.5rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{text-align:start;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
thead th{font-size:.8125rem;font-weight:600;color:var(--soft);padding-block:.25rem}
tbody th{font-weight:600}
tbody small{display:block}
.down th:first-child{width:50%}
table+p{margin-top:.5rem;color:var(--soft)}
.windows{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:1rem 2rem;margin-top:.75rem}
.windows p{font-size:.875rem;color:var(--soft)}
.windows b{color:var(--ink)}
.bar{display:block;width:100%;height:14px;margin:.375rem 0;border-radius:4px}
.track{fill:var(--track)}.left{fill:var(--up)}.low{fill:var(--down)}.reserve{fill:var(--ink)}
@media (max-width:32rem){header,main,footer{padding-inline:.75rem}section{padding:1rem}.tiles{grid-template-columns:1fr 1fr}.tile:first-child{grid-column:1/-1}.down th:first-child{width:38%}.strips li{grid-template-columns:minmax(0,1fr);gap:.125rem}}
@media (forced-colors:active){.icon,.bar,.strip,.key i{forced-color-adjust:none}}
`;

/** The page's only style sheet. */
export const style = new Html(css);

/** The source expression that lets this style sheet, and no other, apply (CSP Level 3, section 2.3.1). */
export const styleSource = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
