// Show the terminal of a session when Deskbell opens vscode://deskbell.deskbell-jump/show?pids=30,20,10.
//
// Any web page can open such a URL, so the extension does no more than show a terminal: it starts and types nothing.
"use strict";

const PIDS = /^pids=(\d{1,10}(?:,\d{1,10}){0,63})$/;

/** Return the process numbers in the query of a URL, the nearest first; an empty list for any other query. */
function pids(query) {
  const found = PIDS.exec(query);
  return found ? found[1].split(",").map(Number) : [];
}

/** Return the terminal whose shell is the nearest of the processes; undefined if there is none. */
async function chosen(wanted, terminals) {
  const shells = await Promise.all(terminals.map((terminal) => terminal.processId));
  const places = shells.map((shell) => wanted.indexOf(shell));
  const nearest = Math.min(...places.filter((place) => place >= 0));
  return terminals[places.indexOf(nearest)];
}

async function show(uri, terminals) {
  if (uri.path !== "/show") return;
  const terminal = await chosen(pids(uri.query), terminals);
  if (terminal) terminal.show(false);
}

function activate(context) {
  const vscode = require("vscode"); // only the editor has it
  const handler = { handleUri: (uri) => show(uri, vscode.window.terminals) };
  context.subscriptions.push(vscode.window.registerUriHandler(handler));
}

module.exports = { activate, chosen, pids, show };
