// @ts-check
// The command behind the local transport: tells a desk what it got, is told what to do, and does it.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const [port = "0", inputFile = "", outputFile = "", ...args] = process.argv.slice(2);
// As long as it is open, this process lives.
const desk = createConnection({ port: Number(port), host: "127.0.0.1" });

if (inputFile === "--child") {
  desk.write("child\n", () => process.send?.("ready", () => process.disconnect?.()));
} else {
  const got = { payload: readFileSync(inputFile, "utf8"), args, cwd: process.cwd(), variables: process.env };
  desk.write(`${JSON.stringify({ ...got, inputFile: resolve(inputFile) })}\n`);
  createInterface({ input: desk }).once("line", (line) => void perform(JSON.parse(line)));
}

/** @typedef {{ links: Record<string, string>, leavesChild: boolean, isStubborn: boolean }} Deeds */
/** @typedef {Deeds & { bytes: string, printed: string, diagnostics: string, toFile: boolean, manner: string, exitCode: number }} Orders */

/** @param {Orders} orders */
async function perform({ bytes, printed, diagnostics, toFile, manner, exitCode, ...deeds }) {
  await prepare(deeds);
  process.stderr.write(diagnostics);
  const answer = Buffer.from(bytes, "base64");
  if (manner === "never") return;
  if (manner === "trickle") return void setInterval(() => process.stdout.write(" "), 5);
  if (manner === "flood") return flood();
  await print(Buffer.from(printed), manner);
  if (toFile) {
    mkdirSync(dirname(outputFile), { recursive: true });
    writeFileSync(outputFile, answer);
  } else {
    await print(manner === "breaks" ? answer.subarray(0, answer.length / 2) : answer, manner);
  }
  if (manner === "hangs") return;
  if (manner === "breaks") process.kill(process.pid, "SIGKILL");
  process.exit(exitCode);
}

/** @param {Deeds} deeds */
async function prepare({ links, leavesChild, isStubborn }) {
  if (isStubborn) process.on("SIGTERM", () => {});
  for (const [path, target] of Object.entries(links)) {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(target, path);
  }
  if (!leavesChild) return;
  const program = fileURLToPath(import.meta.url);
  const stdio = /** @type {const} */ (["ignore", "inherit", "inherit", "ipc"]);
  const child = spawn(process.execPath, [program, port, "--child"], { stdio: [...stdio] });
  await new Promise((done) => child.once("message", done));
  child.unref();
}

/**
 * @param {Buffer} bytes
 * @param {string} manner
 */
async function print(bytes, manner) {
  if (manner !== "pieces") {
    await new Promise((done) => process.stdout.write(bytes, done));
    return;
  }
  for (const byte of bytes) {
    process.stdout.write(Uint8Array.of(byte));
    await turn();
  }
}

async function flood() {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  for (;;) await new Promise((done) => process.stdout.write(chunk, done));
}
