/** Style sheet of the page: follows the system's light or dark mode and adapts to narrow screens. */
export const STYLE: string = `
:root { color-scheme: light dark; --back: #fff; --panel: #f6f8fa; --text: #1f2328; --faint: #59636e; --line: #d1d9e0;
  --link: #0757ba; --pass: #1a7f37; --fail: #c4202b; --error: #8a4600; --skipped: #6e7781; --plain: #3f6fb5; --track: #e6eaef; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --panel: #161b22; --text: #e6edf3; --faint: #9198a1; --line: #30363d;
  --link: #6cb2ff; --pass: #3fb950; --fail: #ff7b72; --error: #e3a03a; --skipped: #8b949e; --plain: #6b9ce8; --track: #262c34; --on: #0d1117; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1240px; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 19px; margin: 36px 0 12px; } h4 { margin: 16px 0 6px; font-size: 14px; }
a { color: var(--link); }
.facts, .interval, .lead, figcaption span { color: var(--faint); }
.facts, .interval { font-size: 13px; font-weight: normal; } .interval { display: block; white-space: nowrap; }
.lead { margin: 0 0 16px; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; }
.tile { flex: 1 1 110px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.tile b { display: block; font-size: 22px; line-height: 1.3; } .tile span { color: var(--faint); font-size: 13px; }
.tile.pass b { color: var(--pass); } .tile.fail b { color: var(--fail); } .tile.error b { color: var(--error); } .tile.skipped b { color: var(--skipped); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; } th, td { padding: 8px 12px; text-align: start; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { background: var(--panel); font-size: 13px; color: var(--faint); white-space: nowrap; } tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 120px; }
tbody tr:last-child > * { border-bottom: 0; } .number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.marks { white-space: nowrap; }
.mark { display: inline-block; min-width: 22px; padding: 0 5px; border-radius: 5px; text-align: center; font-weight: 700; text-decoration: none; color: var(--on); }
.marks .mark { margin-inline-end: 4px; } a.mark:hover, a.mark:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.mark.pass { background: var(--pass); } .mark.fail { background: var(--fail); } .mark.error { background: var(--error); } .mark.skipped { background: var(--skipped); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 430px), 1fr)); gap: 16px; margin-top: 16px; }
.chart { margin: 0; padding: 12px 14px; border: 1px solid var(--line); border-radius: 8px; } figcaption { margin-bottom: 8px; font-size: 14px; }
.bar { display: grid; grid-template-columns: minmax(70px, 32%) 1fr 96px; gap: 10px; align-items: center; font-size: 13px; padding: 3px 0; }
.bar-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .bar-label { text-align: end; font-variant-numeric: tabular-nums; } .bar-label.unknown { color: var(--faint); font-style: italic; }
.bar svg { width: 100%; height: 14px; border-radius: 3px; display: block; }
rect.track { fill: var(--track); } rect.plain { fill: var(--plain); } rect.pass { fill: var(--pass); } rect.fail { fill: var(--fail); } rect.error { fill: var(--error); } rect.skipped { fill: var(--skipped); }
.plot { width: 100%; max-width: 760px; height: auto; display: block; margin-bottom: 12px; } .plot text { fill: var(--text); font-size: 12px; } .plot .end { text-anchor: end; }
.plot .axis { fill: none; stroke: var(--line); } .plot .line { fill: none; stroke: var(--pass); stroke-dasharray: 4 3; } .plot .best { fill: var(--pass); } .plot .dot { fill: var(--plain); }
.legend { font-size: 13px; color: var(--faint); } .legend .mark { margin-inline-start: 10px; }
.filter { margin: 0 0 10px; font-size: 14px; border: 0; padding: 0; } .filter label { margin-inline-end: 14px; white-space: nowrap; }
body:has(#show-failed:checked) .run.pass, body:has(#show-failed:checked) .run.skipped, body:has(#show-passed:checked) .run:not(.pass) { display: none; }
.run { border: 1px solid var(--line); border-radius: 8px; margin-bottom: 8px; } .run > summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere; }
.run > .body { padding: 0 14px 12px; border-top: 1px solid var(--line); scroll-margin-top: 60px; } .run .reason { color: var(--faint); }
.run:has(:target) { border-color: var(--link); }
.problem { padding: 8px 12px; border-inline-start: 4px solid var(--error); background: var(--panel); overflow-wrap: anywhere; } .run.fail .problem { border-color: var(--fail); } .run.skipped .problem { border-color: var(--skipped); }
.remedy, .warning { color: var(--faint); } .assertions { list-style: none; padding: 0; margin: 0; } .assertions li { padding: 3px 0; overflow-wrap: anywhere; }
pre { margin: 4px 0; padding: 10px 12px; background: var(--panel); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 480px; overflow: auto;
  font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; unicode-bidi: plaintext; }
code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; } details details > summary { cursor: pointer; margin: 10px 0 4px; font-weight: 600; font-size: 14px; }
.markdown { overflow-wrap: anywhere; max-width: 80ch; } .markdown p, .markdown ul, .markdown ol, .markdown .scroll { margin: 6px 0; } .markdown pre code { font: inherit; }
.markdown blockquote { margin: 6px 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--line); color: var(--faint); } .markdown li > p { margin: 0; }
.message { margin: 8px 0; padding-inline-start: 10px; border-inline-start: 3px solid var(--line); } .message.user { border-color: var(--plain); } .message.assistant { border-color: var(--pass); }
.role { font-size: 12px; font-weight: 700; color: var(--faint); text-transform: uppercase; } .call b { font-size: 13px; }
.diff .added { color: var(--pass); } .diff .removed { color: var(--fail); } .diff .hunk { color: var(--link); }
footer { margin-top: 40px; color: var(--faint); font-size: 13px; }
@media (max-width: 600px) { body { padding: 14px; } .bar { grid-template-columns: 1fr 84px; } .bar-name { grid-column: 1 / -1; } }
@media print { .run { break-inside: avoid; } .filter { display: none; } }
`;
