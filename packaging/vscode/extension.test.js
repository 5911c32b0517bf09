// Test which terminal is shown. Run with `node --test packaging/vscode`.
"use strict";

const assert = require("node:assert");
const test = require("node:test");
const { chosen, pids, show } = require("./extension.js");

const terminal = (pid) => ({ shown: [], processId: Promise.resolve(pid), show(quiet) { this.shown.push(quiet); } });

test("the terminal of the nearest process is chosen", async () => {
  const [outer, inner, other] = [terminal(10), terminal(20), terminal(99)];
  assert.strictEqual(await chosen([30, 20, 10], [outer, other, inner]), inner);
  assert.strictEqual(await chosen([30, 10], [outer, other, inner]), outer);
});

test("without a terminal of these processes nothing is chosen", async () => {
  assert.strictEqual(await chosen([30], [terminal(10), terminal(undefined)]), undefined);
  assert.strictEqual(await chosen([], [terminal(10)]), undefined);
  assert.strictEqual(await chosen([30], []), undefined);
});

test("only numbers are read from a URL", () => {
  assert.deepStrictEqual(pids("pids=30,20,10"), [30, 20, 10]);
  for (const query of ["", "pids=", "pids=1;2", "pids=a", "pids=1&x=2", "x=1", "pids=-1", "pids=1,,2", "pids=1\n"]) {
    assert.deepStrictEqual(pids(query), [], query);
  }
});

test("a URL shows the terminal and takes the focus to it", async () => {
  const [one, other] = [terminal(20), terminal(99)];
  await show({ path: "/show", query: "pids=30,20" }, [other, one]);
  assert.deepStrictEqual([one.shown, other.shown], [[false], []]);
});

test("another URL shows nothing", async () => {
  const one = terminal(20);
  await show({ path: "/run", query: "pids=20" }, [one]);
  await show({ path: "/show", query: "pids=7" }, [one]);
  assert.deepStrictEqual(one.shown, []);
});
