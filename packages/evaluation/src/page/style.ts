/** Style sheet of the page: follows the system's light or dark mode and adapts to narrow screens. */
export const STYLE: string = `
:root { color-scheme: light dark; --back: #fff; --panel: #f7f8fa; --text: #1c2024; --faint: #60656c; --line: #e3e6ea; --edge: #d3d8de;
  --link: #0757ba; --pass: #18794e; --fail: #c4202b; --error: #8a4600; --skipped: #60656c; --plain: #2f6fc4; --track: #e9ecf0; --on: #fff; --pass-back: #dff2e7; }
@media (prefers-color-scheme: dark) { :root { --back: #0f1114; --panel: #16191d; --text: #e6e8eb; --faint: #9ba1a9; --line: #24282e; --edge: #343a42;
  --link: #78b4ff; --pass: #4cc38a; --fail: #ff8078; --error: #e3a03a; --skipped: #9ba1a9; --plain: #6ea4ee; --track: #262b32; --on: #0f1114; --pass-back: #15342a; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0 auto; padding: 32px 24px; max-width: 1180px; background: var(--back); color: var(--text);
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 24px; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 16px; margin: 40px 0 10px; } h4 { margin: 16px 0 6px; font-size: 13px; }
h2 .finding { font-weight: 400; color: var(--faint); margin-inline-start: 8px; overflow-wrap: anywhere; }
h3 { font-size: 14px; margin: 18px 0 6px; overflow-wrap: anywhere; } h3 .facts { margin-inline-start: 6px; }
a { color: var(--link); } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.facts, .interval, .lead, .faint, figcaption span { color: var(--faint); }
.facts, .interval { font-size: 13px; font-weight: normal; } .interval { display: block; white-space: nowrap; }
.lead { margin: 0 0 14px; } .headline { font-size: 17px; line-height: 1.45; margin: 0 0 18px; max-width: 78ch; overflow-wrap: anywhere; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.tiles { display: flex; flex-wrap: wrap; border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; background: var(--line); gap: 1px; }
.tile { flex: 1 1 104px; padding: 9px 14px; background: var(--back); }
.tile b { display: block; font-size: 19px; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; } .tile span { color: var(--faint); font-size: 12px; }
.tile.pass b { color: var(--pass); } .tile.fail b { color: var(--fail); } .tile.error b { color: var(--error); } .tile.skipped b { color: var(--skipped); } .tile.faint b { color: var(--faint); font-weight: 400; }
.scroll { overflow-x: auto; border: 1px solid var(--edge); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; } th, td { padding: 6px 12px; text-align: start; border-bottom: 1px solid var(--line); vertical-align: middle; }
thead th { background: var(--panel); font-size: 12px; font-weight: 500; color: var(--faint); white-space: nowrap; } tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 110px; }
tbody tr:last-child > * { border-bottom: 0; } .number, th.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; } td.pass { color: var(--pass); } td.fail { color: var(--fail); } td.neutral { color: var(--faint); }
.pairs td:last-child, .frontier td:last-child { white-space: nowrap; } .pairs td.pass, .pairs td.fail { color: var(--text); }
.plot-cell { width: 184px; padding-block: 0; } .interval-plot { display: block; } .interval-plot .tick, .strip .tick { stroke: var(--edge); }
.interval-plot rect, .interval-plot circle { fill: var(--plain); } .interval-plot rect { opacity: .45; } .interval-plot.pass rect, .interval-plot.pass circle { fill: var(--pass); }
.interval-plot.fail rect, .interval-plot.fail circle { fill: var(--fail); } .interval-plot.neutral rect, .interval-plot.neutral circle { fill: var(--skipped); }
.shares { display: block; border-radius: 3px; } .shares .wins { fill: var(--plain); } .shares .ties { fill: var(--track); } .shares .losses { fill: var(--skipped); }
.marks { white-space: nowrap; } .marks > div { display: flex; flex-wrap: wrap; align-items: center; gap: 3px; min-width: 96px; } .marks .count { margin-inline-start: 6px; font-size: 12px; color: var(--faint); font-variant-numeric: tabular-nums; }
.mark { display: inline-block; width: 20px; height: 20px; border-radius: 4px; text-align: center; font-size: 12px; font-weight: 700; line-height: 20px; text-decoration: none; color: var(--on); flex: none; }
a.mark:hover { outline: 2px solid var(--link); outline-offset: 1px; }
.mark.pass { color: var(--pass); background: var(--pass-back); } .mark.fail { background: var(--fail); } .mark.error { background: var(--error); } .mark.skipped { color: var(--faint); background: var(--track); }
.mark.waiting { color: var(--faint); background: var(--track); } .mark.running { color: var(--on); background: var(--plain); }
.matrix tbody tr:hover, .pairs tbody tr:hover, .comparison tbody tr:hover { background: var(--panel); }
.chart { margin: 0; padding: 12px 14px; border: 1px solid var(--edge); border-radius: 8px; } figcaption { margin-bottom: 8px; font-size: 14px; }
.bar { display: grid; grid-template-columns: minmax(70px, 32%) 1fr 96px; gap: 10px; align-items: center; font-size: 13px; padding: 3px 0; }
.bar-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .bar-label { text-align: end; font-variant-numeric: tabular-nums; }
.bar svg { width: 100%; height: 14px; border-radius: 3px; display: block; }
rect.track { fill: var(--track); } rect.plain { fill: var(--plain); } rect.pass { fill: var(--pass); } rect.fail { fill: var(--fail); }
.side { display: grid; grid-template-columns: minmax(0, 460px) minmax(0, 1fr); gap: 28px; align-items: center; }
.plot { width: 100%; max-width: 520px; height: auto; display: block; } .plot text { fill: var(--faint); font-size: 12px; font-variant-numeric: tabular-nums; } .plot .end { text-anchor: end; } .plot .middle { text-anchor: middle; }
.plot circle ~ text { fill: var(--text); font-weight: 500; } .plot .grid { stroke: var(--line); } .plot .line { fill: none; stroke: var(--pass); stroke-width: 1.5; stroke-dasharray: 4 3; } .plot circle.best { fill: var(--pass); } .plot circle.dot { fill: var(--skipped); }
.plot .whisker { stroke: var(--skipped); stroke-width: 2; opacity: .45; } .plot .whisker.best { stroke: var(--pass); }
.strip { display: flex; align-items: end; gap: 8px; white-space: nowrap; } .strip rect.earlier { fill: var(--edge); } .strip rect.latest { fill: var(--plain); } .strip .number { min-width: 46px; } .change { font-size: 12px; font-variant-numeric: tabular-nums; } .change.pass { color: var(--pass); } .change.fail { color: var(--fail); }
.legend { font-size: 12px; color: var(--faint); max-width: 100ch; margin: 8px 0 0; } .marks-legend { display: flex; flex-wrap: wrap; gap: 4px 16px; } .marks-legend .mark { width: 16px; height: 16px; line-height: 16px; font-size: 10px; }
.filter { margin: 0 0 10px; border: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; } .filter label { white-space: nowrap; } .filter input { accent-color: var(--plain); }
.filter .search { margin-inline-start: auto; color: var(--faint); display: flex; gap: 8px; align-items: center; } .search input { font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--edge); border-radius: 6px; padding: 4px 8px; width: 220px; } .search input::placeholder { color: var(--faint); opacity: 1; }
body:has(#show-failed:checked) .run.pass, body:has(#show-failed:checked) .run.skipped, body:has(#show-passed:checked) .run:not(.pass),
body:has(#show-failed:checked) .case-runs:not(:has(.run.fail, .run.error)), body:has(#show-passed:checked) .case-runs:not(:has(.run.pass)) { display: none; }
.run { border: 1px solid var(--edge); margin-bottom: -1px; background: var(--back); } .case-runs .run:first-of-type { border-radius: 8px 8px 0 0; } .case-runs .run:last-of-type { border-radius: 0 0 8px 8px; } .case-runs .run:only-of-type { border-radius: 8px; }
.run > summary { display: grid; grid-template-columns: 20px minmax(90px, 200px) minmax(0, 1fr) auto; gap: 12px; align-items: center; padding: 5px 12px; cursor: pointer; list-style: none; } .run > summary::-webkit-details-marker { display: none; } .run > summary:hover { background: var(--panel); } .run[open] > summary { background: var(--panel); }
.about { overflow-wrap: anywhere; } .run > summary .reason { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .run > summary .facts { display: flex; gap: 16px; white-space: nowrap; font-size: 12px; font-variant-numeric: tabular-nums; } .fact { text-align: end; min-width: 56px; }
.run > .body { padding: 4px 14px 12px; border-top: 1px solid var(--line); scroll-margin-top: 60px; } .run .reason { color: var(--faint); }
.run:has(:target) { border-color: var(--link); position: relative; }
.problem { padding: 8px 12px; border-inline-start: 3px solid var(--error); background: var(--panel); overflow-wrap: anywhere; } .run.fail .problem { border-color: var(--fail); } .run.skipped .problem { border-color: var(--skipped); }
.remedy, .warning { color: var(--faint); } .assertions { list-style: none; padding: 0; margin: 0; } .assertions li { padding: 3px 0; overflow-wrap: anywhere; }
pre { margin: 4px 0; padding: 10px 12px; background: var(--panel); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 480px; overflow: auto;
  font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; unicode-bidi: plaintext; }
code { font: 12.5px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; } details details > summary, .more > summary { cursor: pointer; margin: 10px 0 4px; font-weight: 500; font-size: 13px; } .more > summary { color: var(--link); }
.markdown { overflow-wrap: anywhere; max-width: 80ch; } .markdown p, .markdown ul, .markdown ol, .markdown .scroll { margin: 6px 0; } .markdown pre code { font: inherit; }
.markdown blockquote { margin: 6px 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--line); color: var(--faint); } .markdown li > p { margin: 0; }
.message { margin: 8px 0; padding-inline-start: 10px; border-inline-start: 3px solid var(--edge); } .message.user { border-color: var(--plain); } .message.assistant { border-color: var(--pass); }
.role { font-size: 12px; font-weight: 700; color: var(--faint); text-transform: uppercase; } .call b { font-size: 13px; }
.diff .added { color: var(--pass); } .diff .removed { color: var(--fail); } .diff .hunk { color: var(--link); }
.progress { height: 6px; border-radius: 3px; background: var(--track); overflow: hidden; display: block; width: 100%; margin: 0 0 6px; } .progress rect.done { fill: var(--plain); }
.status { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 18px; font-variant-numeric: tabular-nums; } .status b { font-weight: 600; }
.wrap { overflow-wrap: anywhere; min-width: 180px; } time { font-variant-numeric: tabular-nums; }
footer { margin-top: 40px; color: var(--faint); font-size: 12px; }
@media (max-width: 820px) { .side { grid-template-columns: minmax(0, 1fr); gap: 16px; } }
@media (max-width: 600px) { body { padding: 16px; } h2 .finding { display: block; margin: 2px 0 0; font-size: 14px; } .bar { grid-template-columns: 1fr 84px; } .bar-name { grid-column: 1 / -1; } .filter .search { margin: 0; width: 100%; } .search input { flex: 1; width: 0; }
  .run > summary { grid-template-columns: 20px minmax(0, 1fr); row-gap: 1px; } .run > summary .reason, .run > summary .facts { grid-column: 2; } .run > summary .reason { white-space: normal; } .run > summary .reason:empty { display: none; } .fact { min-width: 0; text-align: start; } .tile { flex-basis: 88px; padding: 8px 12px; } }
@media print { .run { break-inside: avoid; } .filter { display: none; } }
`;
