import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openSandboxedEnvironment } from "@switchyard/environment/local";
import { createModelGateway } from "@switchyard/gateway";
import { type EgressDecision, openListedEnvironment } from "@switchyard/gateway/egress";
import { secret } from "@switchyard/secrets";
import { DIRECT_ROWS, DIRECT_SCRIPT } from "./direct-rows.ts";
import type { FakeInternet } from "./fake-internet.ts";

/** Result of an attempt to reach a server without the proxy. */
export interface DirectResult {
  readonly name: string;
  /** True if the attempt reached a server from a sandbox with a list of hosts. */
  readonly passed: boolean;
  /** True if the attempt reached a server from a sandbox with the whole network. */
  readonly passedWrong: boolean;
}

/** Results of commands in sandboxes. */
interface SandboxResult {
  readonly controls: Readonly<Record<string, string>>;
  readonly direct: readonly DirectResult[];
}

/** Runs all direct attempts in an environment. Returns for each whether it reached a server. */
async function attemptAll(environment: ExecutionEnvironment, internet: FakeInternet): Promise<readonly boolean[]> {
  const rows = DIRECT_ROWS.map((row) => ({ ...row, mark: randomBytes(8).toString("hex") }));
  await environment.exec([process.execPath, "-e", DIRECT_SCRIPT, JSON.stringify(rows)]);
  return rows.map(({ mark }) => internet.contacts.some(({ received }) => received.includes(mark)));
}

/** API key of the simulated provider of models. */
const KEY = ["real", "key", "0123456789"].join("-");

/** Uses of a listed network that must work. Each is a shell command and what it prints. */
const USES: readonly (readonly [name: string, command: string, output: RegExp])[] = [
  [
    "npm install from a listed registry",
    `npm install --no-audit --no-fund --cafile ca.pem --registry https://packages.example/ tiny 2>&1 && node -p 'require("tiny")'`,
    /^tiny works$/m,
  ],
  [
    "git clone from a listed server",
    "git -c http.sslCAInfo=ca.pem clone -q https://git.example/repo.git cloned && cat cloned/hello.txt",
    /^hello from git$/m,
  ],
  ["curl of a listed host", "curl -sS --cacert ca.pem -d hi https://good.example/", /^hi$/],
  ["curl of an unlisted host fails", "curl -sS https://evil.example/ 2>&1 || echo failed", /403[\s\S]*failed/],
];

/** Calls a model through a model gateway, in an environment whose network is a list of hosts. */
async function callModel(environment: ExecutionEnvironment): Promise<string> {
  const provider = createServer((request, response) => {
    const isKnown = request.headers["x-api-key"] === KEY;
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ is_known: isKnown }));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const address = provider.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
  const upstreams = { anthropic: { apiKey: secret(KEY), baseUrl } };
  await using gateway = createModelGateway({ upstreams });
  const run = await gateway.openRun({ runId: "run-1", environment });
  const script = `curl -sS -H "x-api-key: $TOKEN" -d '{"model":"m","messages":[]}' "$URL/v1/messages"`;
  const set = { TOKEN: run.token.reveal(), URL: run.baseUrl };
  const { stdout, stderr } = await environment.shell(script, { env: { set } });
  provider.close();
  return stdout === '{"is_known":true}' ? "ok" : `${stdout}${stderr}`.slice(0, 1000);
}

/** Uses the network from sandboxes: through the proxy and without it. */
export async function sandboxScene(internet: FakeInternet, folder: string): Promise<SandboxResult> {
  const [root, home] = [join(folder, "workspace"), join(folder, "home")];
  for (const path of [root, home]) mkdirSync(path);
  writeFileSync(join(root, "ca.pem"), internet.ca);
  // Without it, npm would use a project in a parent folder.
  writeFileSync(join(root, "package.json"), "{}");
  const options = { root, env: { PATH: process.env["PATH"], HOME: home } };
  const decisions: EgressDecision[] = [];
  const controls: Record<string, string> = {};
  const network = "list:good.example,packages.example,git.example";
  const listed = await openListedEnvironment({ type: "sandbox", ...options, network }, (decision) => {
    decisions.push(decision);
  });
  for (const [name, command, output] of USES) {
    const { stdout, stderr } = await listed.shell(command);
    controls[name] = output.test(stdout) ? "ok" : `${stdout}${stderr}`.slice(0, 1000);
  }
  const refused = decisions.filter(({ verdict }) => verdict === "refused");
  controls["each decision is reported"] =
    decisions.length >= 5 && refused.length === 1 && refused[0]?.host === "evil.example"
      ? "ok"
      : JSON.stringify(decisions);
  controls["a model call through the gateway, beside the list"] = await callModel(listed);
  const passed = await attemptAll(listed, internet);
  await listed[Symbol.asyncDispose]();
  const open = await openSandboxedEnvironment({ ...options, network: "allow" });
  const passedWrong = await attemptAll(open, internet);
  await open[Symbol.asyncDispose]();
  const direct = DIRECT_ROWS.map(({ protocol, address, port }, index) => ({
    name: `${protocol} to ${JSON.stringify(address)} ${port}`,
    passed: passed[index] === true,
    passedWrong: passedWrong[index] === true,
  }));
  return { controls, direct };
}
