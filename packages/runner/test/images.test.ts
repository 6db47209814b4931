import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionInput } from "@switchyard/contracts";
import { scriptedClient, text } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { createDefaultRegistry, openConfiguredEngine, runSession, startSession } from "../src/index.ts";
import { stumblingAgent } from "./stumbling-adapter.ts";
import { temporaryWorkspace } from "./temporary-session.ts";

/** The smallest possible image. */
const DATA = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const INPUT: SessionInput = {
  messages: [{ role: "user", content: "What is it?", images: [{ media_type: "image/png", data: DATA }] }],
};
const SEEN = { type: "image", mediaType: "image/png", data: DATA };

test("the built-in agent shows its model the pictures of a message, also of an earlier one", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([text("A dot."), text('{"colour":"red"}')]);
  const registry = createDefaultRegistry({ env: {}, client, model: "anthropic/test-model" });
  const output = { schema: { type: "object", required: ["colour"] } };
  const report = await runSession(INPUT, workspace.options({ engine: "agent", registry, output }));
  expect(report).toMatchObject({ status: "completed", output: { colour: "red" } });
  for (const { messages } of client.requests) {
    expect(messages[1]).toMatchObject({ role: "user", parts: [{ type: "text" }, SEEN] });
  }
  expect(client.requests).toHaveLength(2);
  // Repeating the images would make the report large without adding information.
  expect(JSON.stringify(report)).not.toContain(DATA);
});

test("an agent's command receives the paths of image files, which are removed afterwards and are not part of its changes", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "one\n");
  workspace.git("init", "-q");
  const folder = join(dirname(workspace.root), "agent");
  mkdirSync(folder);
  const { engine, starts } = stumblingAgent(folder, [{ says: "A dot.", reports: "success" }]);
  const report = await runSession(INPUT, workspace.options({ engine, workspaceDiff: true }));
  expect(report).toMatchObject({ status: "completed", workspaceDiff: "" });
  const [started] = starts();
  const [path = ""] = /\/\S+\.png$/mu.exec(started?.prompt ?? "") ?? [];
  expect(started?.prompt).toMatch(/^What is it\?\n/u);
  expect(dirname(path)).toBe(workspace.root);
  expect(existsSync(path)).toBe(false);
});

test("a custom command receives the images with its messages", async () => {
  using workspace = temporaryWorkspace();
  const script = `const fs = require("node:fs");
    const { messages } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
    fs.writeFileSync("seen.json", JSON.stringify(messages[0].images));
    fs.writeFileSync(process.argv[3], JSON.stringify({ exit_code: 0, final_message: "A dot." }));`;
  workspace.write("agent.cjs", script);
  const local = { command: process.execPath, args: ["agent.cjs", `\${input_file}`, `\${output_file}`] };
  const custom = { transport: "local", local: { ...local, output_file: `\${output_file}` } };
  const { engine } = await openConfiguredEngine({ engine: { name: "own", custom } }, { env: {} });
  expect(await runSession(INPUT, workspace.options({ engine }))).toMatchObject({ status: "completed" });
  const seen: unknown = JSON.parse(readFileSync(join(workspace.root, "seen.json"), "utf8"));
  expect(seen).toEqual([{ media_type: "image/png", data: DATA }]);
});

test("a file that is not an image is refused before anything runs", async () => {
  using workspace = temporaryWorkspace();
  const { engine } = await openConfiguredEngine(
    { engine: { name: "own", custom: { transport: "local", local: { command: "true" } } } },
    { env: {} },
  );
  for (const images of [
    [{ media_type: "text/html", data: DATA }],
    [{ media_type: "image/png", data: "no base64!" }],
    "x",
  ]) {
    // Bypasses the types, like a host written in JavaScript.
    const input: SessionInput = JSON.parse(JSON.stringify({ messages: [{ role: "user", content: "?", images }] }));
    await expect(startSession(input, workspace.options({ engine }))).rejects.toMatchObject({ code: "input.invalid" });
  }
});
