import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

/** Simulated `opencode` that stores its permission configuration and prints the first and last event of a stream. */
const OPENCODE = `#!${process.execPath}
const fs = require("node:fs");
fs.writeFileSync(process.cwd() + "/../permission.json", process.env.OPENCODE_PERMISSION);
const say = (type, part) => console.log(JSON.stringify({ type, sessionID: "ses_1", part }));
say("text", { type: "text", text: "Looked." });
say("step_finish", { id: "a", reason: "stop", tokens: { input: 1, output: 1, cache: { read: 0, write: 0 } } });
`;

async function runWith(
  mode: string,
  engine = "opencode",
): Promise<{ exitCode: number | undefined; stderr: string; permission: string }> {
  const cwd = await makeFolder();
  await mkdir(join(cwd, "bin"));
  await writeFile(join(cwd, "bin/opencode"), OPENCODE);
  await chmod(join(cwd, "bin/opencode"), 0o755);
  await mkdir(join(cwd, "project"));
  await writeFile(join(cwd, "acp.yaml"), "engine:\n  name: acp\n  adapter: { command: my-agent --acp }\n");
  const words = ["run", "--engine", engine, "--mode", mode, "--workspace", "project", "--state", "state", "Look."];
  const env = { PATH: [join(cwd, "bin"), process.env["PATH"] ?? ""].join(delimiter) };
  const { exitCode, stderr } = await switchyard(words, { cwd, env });
  return { exitCode, stderr, permission: await readFile(join(cwd, "permission.json"), "utf8").catch(() => "{}") };
}

test.each([
  ["plan", "deny"],
  ["ask", "deny"],
  ["auto", "allow"],
])("--mode %s is passed to another agent in that agent's own terms", async (mode, others) => {
  const { exitCode, permission } = await runWith(mode);
  expect(exitCode).toBe(0);
  expect(JSON.parse(permission)["*"]).toBe(others);
});

test("a mode that an agent does not support is refused before anything runs, with what to do", async () => {
  const { exitCode, stderr } = await runWith("plan", "acp.yaml");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("acp has no setting with the meaning of plan; omit the mode, or use an environment");
});
