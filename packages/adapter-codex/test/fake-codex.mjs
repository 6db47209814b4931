// @ts-check
// Plays a recorded conversation with `codex app-server` 0.169.0: node fake-codex.mjs LOG CASE [arguments of the
// command]. What we say is expected as it was recorded, method by method; LOG gets a line with every message of ours.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , log = "", name = "", ...args] = process.argv;
const note = (/** @type {unknown} */ entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
const file = new URL(`../fixtures/codex-0.169.0/${name}.jsonl`, import.meta.url);
/** @type {{ dir: "client" | "agent", msg: any }[]} */
const recorded = readFileSync(file, "utf8")
  .split("\n")
  .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
/** @type {Map<unknown, unknown>} */
const ids = new Map();
let at = 0;
note({ args, pid: process.pid });

function speak() {
  for (; recorded[at]?.dir === "agent"; at += 1) {
    const { msg } = recorded[at] ?? {};
    const isAnswer = msg.method === undefined;
    process.stdout.write(`${JSON.stringify(isAnswer ? { ...msg, id: ids.get(msg.id) } : msg)}\n`);
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  note(message);
  const expected = recorded[at]?.msg;
  if (expected?.method !== message.method) {
    process.stderr.write(`expected ${expected?.method ?? "nothing"}, got ${message.method ?? "an answer"}\n`);
    process.exit(9);
  }
  ids.set(expected.id, message.id);
  at += 1;
  speak();
});
