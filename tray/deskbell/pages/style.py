"""Hold the style of all pages: light or dark as the system asks, with the fonts of the system. Pure."""

STYLE = """
:root {
  --ground: #f4f5f6; --card: #ffffff; --ink: #1c2127; --dim: #5b6570; --line: #dde1e5; --well: #f0f2f4;
  --red: #c62f00; --blue: #0062a8; --green: #00785a; --amber: #8a6100; --grey: #5b6570;
  --added: #e3f4e8; --removed: #fde8e4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1d2126; --ink: #e4e7ea; --dim: #9aa4ae; --line: #31373e; --well: #262b31;
    --red: #ff7f57; --blue: #6db8f5; --green: #4fcfa4; --amber: #e8c53e; --grey: #9aa4ae;
    --added: #16352a; --removed: #43211a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1.25rem 1.25rem 3rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
header { display: flex; align-items: center; gap: .5rem; color: var(--dim); }
header svg { fill: var(--amber); flex: none; }
header .made { margin-inline-start: auto; }
footer { margin-top: 2.5rem; color: var(--dim); font-size: .87rem; }
h1 { margin: 1.1rem 0 .2rem; font-size: 1.6rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 2rem 0 .6rem; font-size: 1.02rem; font-weight: 650; }
h2 .count { color: var(--dim); font-weight: 400; margin-inline-start: .35rem; }
h3 { margin: 0; font-size: 1rem; font-weight: 650; }
p { margin: .35rem 0; }
h1, h3, p, dd, td, li, pre, code { unicode-bidi: plaintext; }
.dim, .made { color: var(--dim); }
.lead { font-size: 1.12rem; margin: .2rem 0 .3rem; }
.card {
  background: var(--card); border: 1px solid var(--line); border-inline-start: 4px solid var(--grey);
  border-radius: 8px; padding: .8rem 1rem; margin: 0 0 .7rem;
}
.card.plain { border-inline-start: 1px solid var(--line); }
.row { display: flex; gap: .4rem 1rem; align-items: baseline; flex-wrap: wrap; }
.row > .end { margin-inline-start: auto; color: var(--dim); font-size: .87rem; white-space: nowrap; }
.row > .name { color: var(--dim); min-width: 0; }
.chip {
  display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .82rem; font-weight: 600;
  color: var(--card); background: var(--grey);
}
.blocked, .bad { border-inline-start-color: var(--red); }
.your-turn { border-inline-start-color: var(--blue); }
.running, .ok { border-inline-start-color: var(--green); }
.warn, .amber { border-inline-start-color: var(--amber); }
.chip.blocked { background: var(--red); }
.chip.your-turn { background: var(--blue); }
.chip.running { background: var(--green); }
.check { display: flex; gap: .7rem; }
.mark { font-weight: 700; width: 1.1rem; flex: none; text-align: center; }
.ok .mark { color: var(--green); }
.warn .mark { color: var(--amber); }
.bad .mark { color: var(--red); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .18rem 1rem; margin: .5rem 0 0; }
.card > dl:first-child { margin-top: 0; }
dt { color: var(--dim); }
dd { margin: 0; white-space: pre-wrap; }
dl.inline { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; }
dl.inline div { display: flex; gap: .5rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: 0 .7rem; }
.columns .card { height: calc(100% - .7rem); }
table { border-collapse: collapse; width: 100%; }
td { padding: .3rem .9rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; }
tr:first-child td { border-top: 0; }
td:first-child { white-space: nowrap; color: var(--dim); font-variant-numeric: tabular-nums; width: 1%; }
td.event { white-space: nowrap; width: 1%; }
td:last-child { padding-inline-end: 0; }
.scroll { overflow-x: auto; }
code { background: var(--well); border-radius: 4px; padding: .1rem .3rem; }
pre, code { font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code.command, pre.said {
  display: block; margin: .45rem 0 0; padding: .5rem .7rem; background: var(--well); border-radius: 6px;
  white-space: pre-wrap;
}
code.command { user-select: all; -webkit-user-select: all; }
pre.diff { margin: 0; white-space: pre-wrap; }
pre.diff span { display: block; padding: 0 .5rem; min-height: 1.5em; }
pre.diff .added { background: var(--added); }
pre.diff .removed { background: var(--removed); }
pre.diff .place { color: var(--dim); }
progress { width: 9rem; height: .55rem; margin-inline-start: .6rem; accent-color: var(--green); }
@media print { body { max-width: none; } .card { break-inside: avoid; } }
"""
