// Runs a command as an engine, as engine.yaml configures it.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openConfiguredEngine, parseEngineFile, startSession } from "@switchyard/runner";

const ENGINE_FILE = fileURLToPath(new URL("../engine.yaml", import.meta.url));
const AGENT = fileURLToPath(new URL("../review-agent.mjs", import.meta.url));
const API_KEY = "key-of-the-example";

const folder = await mkdtemp(join(tmpdir(), "custom-engine-local-"));
const workspace = join(folder, "project");
try {
  await mkdir(workspace);
  await writeFile(join(workspace, "change.diff"), "-old\n+new // TODO: name it\n+more\n");

  const { name, engine } = await openConfiguredEngine(
    await parseEngineFile(await readFile(ENGINE_FILE, "utf8"), ENGINE_FILE),
    { env: { REVIEW_AGENT_BIN: AGENT }, apiKey: API_KEY },
  );
  await using environment = await openLocalEnvironment({ root: workspace, env: { PATH: process.env["PATH"] } });
  const session = await startSession(
    { messages: [{ role: "user", content: "Review change.diff." }] },
    { engine, engineName: name, environment, stateDirectory: join(folder, "state") },
  );
  const { status, result, artifacts, runFolder = "" } = await session.result;

  assert.equal(status, "completed");
  assert.equal(result?.final_message, "Found 1 TODO.");
  // Only the command received the key.
  assert.equal(result?.stderr, "signing in with ***REDACTED***\n");
  assert.deepEqual(
    artifacts.map(({ path }) => path),
    ["report.md"],
  );
  const report = await readFile(join(runFolder, "artifacts", "report.md"), "utf8");
  assert.match(report, /Asked: Review change\.diff\.\n\n- new \/\/ TODO: name it\n/);
  console.log(result?.final_message);
  console.log(report);
} finally {
  await rm(folder, { recursive: true, force: true });
}
