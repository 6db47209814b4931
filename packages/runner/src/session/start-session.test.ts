import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Envelope, MAIN_CHANNEL, SESSION_RESULT, textMessage } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { startSession } from "./start-session.ts";

test("smoke", async () => {
  const root = await mkdtemp(join(tmpdir(), "ws-"));
  const state = await mkdtemp(join(tmpdir(), "st-"));
  execFileSync("git", ["init", "-q"], { cwd: root });
  await writeFile(join(root, "a.txt"), "a\n");
  const engine = defineEngine(async (run, host, board) => {
    await writeFile(join(root, "a.txt"), "b\n");
    await writeFile(join(root, "n.txt"), "n\n");
    board.appendChannelMessage(MAIN_CHANNEL, textMessage("assistant", "done"));
  });
  const handle = await startSession(
    { messages: [{ role: "user", content: "hi" }] },
    { engine, environment: { type: "local", root, env: process.env }, stateDirectory: state },
  );
  const seen: Envelope[] = [];
  for await (const e of handle.events()) seen.push(e);
  const report = await handle.result;
  console.log(JSON.stringify(seen, null, 1), JSON.stringify(report, null, 1));
  console.log(execFileSync("ls", ["-laR", state]).toString());
});
