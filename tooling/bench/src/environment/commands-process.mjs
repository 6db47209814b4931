// @ts-check
// Starts commands alternately and prints each contender's cost per command, as JSON.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importPeer } from "../../environment-peers/import-peer.mjs";
import { takeTurns } from "../figure/take-turns.mjs";
import { openWorkspace } from "./contenders/open-workspace.mjs";

const COMMANDS = 40;
const ROUNDS = 15;
const MEGABYTE = 2 ** 20;

const [, , megabytes = "0"] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "bench-environment-")));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
writeFileSync(join(root, ".bashrc"), 'echo "~/.bashrc was read"\n');
const options = { env: { ...process.env, HOME: root } };
const [auto, direct] = [
  await openWorkspace(root, options),
  await openWorkspace(root, { ...options, spawnHelper: "never" }),
];
const { execa } = await importPeer("execa");

const pipes = () =>
  new Promise((done) => {
    const child = spawn("true", { cwd: root });
    child.stdout.resume();
    child.stderr.resume();
    child.once("close", done);
  });

/** @param {() => Promise<unknown>} command */
const contender = (command) => ({
  count: COMMANDS,
  run: async (/** @type {number} */ count) => {
    for (let made = 0; made < count; made += 1) await command();
  },
});

const contenders = {
  ours: contender(() => auto.exec(["true"])),
  direct: contender(() => direct.exec(["true"])),
  listened: contender(() => auto.exec(["true"], { onOutput: () => {} })),
  pipes: contender(pipes),
  execa: contender(() => execa("true", { cwd: root })),
};

/** @returns {Promise<Record<string, readonly number[]>>} ms CPU of a command, in each round */
async function measure() {
  const costs = await takeTurns(contenders, ROUNDS);
  return Object.fromEntries(Object.keys(contenders).map((name) => [name, costs(name).map(({ cpu }) => cpu / 1000)]));
}

const start = await measure();
const live = Array.from({ length: Number(megabytes) }, () => Buffer.alloc(MEGABYTE, 1));
const large = live.length === 0 ? start : await measure();
const shell = await auto.shell("echo line", { env: { policy: "none" } });
console.log(JSON.stringify({ start, large, shell: shell.stdout + shell.stderr }));
await auto[Symbol.asyncDispose]();
await direct[Symbol.asyncDispose]();
process.exit();
