import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUSYBOX_IMAGE, runProgram, startDocker, type TestEngine } from "@switchyard/container-engines";
import { sandboxReadiness } from "@switchyard/environment/local";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { importPerl, PERL_IMAGE } from "../docker/import-perl.ts";
import { PROJECT, REPAIRED, startScriptedModel } from "./scripted-model.ts";

const COMMAND = join(import.meta.dirname, "../../../../apps/cli/dist/bin.cjs");
const TIMEOUT_MS = 300_000;

let engine: TestEngine;
let missing: string | undefined;
beforeAll(async () => {
  const started = await startDocker();
  if ("missing" in started) ({ missing } = started);
  else engine = started;
}, TIMEOUT_MS);
afterAll(() => (missing === undefined ? engine.stop() : undefined), TIMEOUT_MS);
beforeEach(({ skip }) => skip(missing !== undefined, missing));

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sy-containers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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
}, async () => {
  const state = makeFolder();
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

/** Program that serves a site while a command runs. */
const SERVE = fileURLToPath(new URL("run-with-site.mjs", import.meta.url));
const SITE = "93.184.216.34";
const FETCH = `cat >/dev/null
good=$(wget -q -O - http://good.example/page)
evil=$(wget -O - http://evil.example/page 2>&1 | grep -o 'HTTP/1.1 403')
wget -Y off -q -O - http://${SITE}/direct 2>/dev/null && direct=reached
printf '{"exit_code":0,"final_message":"%s, %s, %s, %s"}' "$(cat setup.txt)" "$good" "$evil" "\${direct:-none}"`;
const EVALUATION = `schema_version: v1alpha1
environment:
  type: docker
  image: ${PERL_IMAGE}
  network_policy: allow_declared
  allowed_egress: ["good.example:80"]
  setup_steps: [{ run: wget -q -O setup.txt http://good.example/setup }]
engine:
  name: fetch
  custom: { transport: local, local: { command: sh, args: [-c, ${JSON.stringify(FETCH)}] } }
cases: { files: [evals/fetch.yaml] }
`;

test("an evaluation in skill-up's format reaches the hosts of allowed_egress from its container, and no other host", {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  const { missing: lacking } = await sandboxReadiness({ ...process.env });
  skip(lacking.length > 0, lacking.map(({ problem }) => problem).join("; "));
  await importPerl(engine);
  const folder = makeFolder();
  const [hosts, log, file] = [join(folder, "hosts"), join(folder, "requests"), join(folder, "evals/eval.yaml")];
  mkdirSync(join(folder, "evals"));
  writeFileSync(join(folder, "SKILL.md"), "---\nname: fetch\ndescription: Fetches pages.\n---\n");
  writeFileSync(file, EVALUATION);
  writeFileSync(join(folder, "evals/fetch.yaml"), "id: fetch\ninput: { prompt: Fetch }\n");
  writeFileSync(hosts, `127.0.0.1 localhost\n${SITE} good.example evil.example\n`);
  // Every address is local in the network namespace of the command, and the names are in its hosts file.
  const namespace = ["--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--ro-bind", hosts, "/etc/hosts"];
  const start = ["bwrap", ...namespace, "--unshare-net", "--cap-add", "ALL", "--die-with-parent"];
  const route = ["sh", "-c", 'ip route add local default dev lo && exec "$@"', "sh"];
  const site = [process.execPath, SERVE, SITE, log];
  const command = [COMMAND, "eval", file, "--output", join(folder, "out"), "--json"];
  const env = { PATH: process.env["PATH"] ?? "", ...engine.hostEnv };
  const { stdout, stderr } = await runProgram([...start, ...route, ...site, ...command], { env });
  expect(stderr).toBe("");
  const { trials } = JSON.parse(stdout);
  const refused =
    "The network of this environment refused evil.example:80: the host is not in the list of allowed hosts.";
  expect(trials).toMatchObject([
    {
      outcome: "PASS",
      final_message: "from good.example, from good.example, HTTP/1.1 403, none",
      warnings: [expect.stringContaining(refused)],
    },
  ]);
  expect(readFileSync(log, "utf8")).toBe("good.example/setup\ngood.example/page\n");
  expect(await engine.must("ps", "--all", "--quiet")).toBe("");
});
