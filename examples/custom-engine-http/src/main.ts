// Runs an HTTP service as an engine, as engine.yaml configures it.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openConfiguredEngine, parseEngineFile, startSession } from "@switchyard/runner";
import { startReviewService } from "./review-service.ts";

const ENGINE_FILE = fileURLToPath(new URL("../engine.yaml", import.meta.url));
const API_KEY = "key-of-the-example";

const folder = await mkdtemp(join(tmpdir(), "custom-engine-http-"));
const workspace = join(folder, "project");
try {
  await mkdir(workspace);
  await using service = await startReviewService(API_KEY);
  await using environment = await openLocalEnvironment({ root: workspace, env: { PATH: process.env["PATH"] } });
  const document = await parseEngineFile(await readFile(ENGINE_FILE, "utf8"), ENGINE_FILE);
  const runWith = async (apiKey: string) => {
    const { name, engine } = await openConfiguredEngine(document, {
      ...{ env: { CUSTOM_AGENT_ENDPOINT: service.url }, apiKey },
    });
    const session = await startSession(
      { messages: [{ role: "user", content: "the parser" }] },
      { engine, engineName: name, environment, stateDirectory: join(folder, "state") },
    );
    return session.result;
  };

  const { status, result, runFolder = "" } = await runWith(API_KEY);
  assert.equal(status, "completed");
  assert.equal(result?.final_message, "Reviewed: the parser");
  assert.match(await readFile(join(runFolder, "artifacts", "report.md"), "utf8"), /Reviewed: the parser/);
  console.log(result?.final_message);

  // The service refuses a wrong key. The report contains the reason, without the key.
  const refused = await runWith("wrong-key");
  assert.equal(refused.status, "error");
  assert.equal(refused.error?.code, "transport.http_status");
  assert.equal(refused.result?.exit_code, 401);
  assert.equal(refused.result?.stderr, "This is no key of ours: Bearer ***REDACTED***");
  console.log(refused.error?.message, refused.result?.stderr);
} finally {
  await rm(folder, { recursive: true, force: true });
}
