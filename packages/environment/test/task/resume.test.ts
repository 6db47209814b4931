import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUSYBOX_IMAGE, runProgram, startDocker } from "@switchyard/container-engines";
import { expect, onTestFinished, test } from "vitest";
import { PROJECT, REPAIRED, startScriptedModel } from "./scripted-model.ts";

const COMMAND = join(import.meta.dirname, "../../../../apps/cli/dist/bin.cjs");
const TIMEOUT_MS = 120_000;

/** Starts a model server that never responds. `requested` resolves with the first request. */
async function startSilentModel(): Promise<{ baseUrl: string; requested: Promise<unknown> }> {
  const server = createServer();
  const requested = once(server, "request");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requested };
}

test("a run whose host was killed resumes in a new container, and the old one is removed", {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  const engine = await startDocker();
  if ("missing" in engine) return skip(engine.missing);
  onTestFinished(() => engine.stop());
  const state = mkdtempSync(join(tmpdir(), "sy-resume-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const project = join(state, "project");
  cpSync(PROJECT, project, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", ...engine.hostEnv };
  const stateOptions = ["--state", join(state, "state")];

  const silent = await startSilentModel();
  const model = ["--model", "openai-compatible/scripted", "--base-url", silent.baseUrl];
  const args = ["run", "--env", `docker:${BUSYBOX_IMAGE}`, "--workspace", project, ...model, ...stateOptions];
  const host = spawn(process.execPath, [COMMAND, ...args, "Make the test pass."], { env, stdio: "ignore" });
  await silent.requested;
  const [before] = (await engine.must("ps", "--quiet", "--no-trunc")).split("\n");
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  host.kill("SIGKILL");
  await once(host, "exit");

  const listed = await runProgram([process.execPath, COMMAND, "runs", "list", "--json", ...stateOptions], { env });
  const [{ run_id: runId }] = JSON.parse(listed.stdout);
  const scripted = await startScriptedModel();
  onTestFinished(() => scripted.stop());
  const resume = ["resume", runId, "--base-url", scripted.baseUrl, "--json", ...stateOptions];
  const { code, stdout, stderr } = await runProgram([process.execPath, COMMAND, ...resume], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const report: unknown = JSON.parse(stdout);
  expect(report).toMatchObject({ status: "completed", environment: `docker:${BUSYBOX_IMAGE}` });
  expect(readFileSync(join(project, "greet.sh"), "utf8")).toBe(REPAIRED);
  expect(await engine.must("ps", "--all", "--quiet")).toBe("");
});
