// @ts-check
// Opens a proxy to a provider: proxy-process.mjs CONTENDER PROVIDER_URL RUNS. Prints the targets of the runs. Then prints
// for each line of its input the CPU time since the previous one, in microseconds, and the tokens that it measured.
import { once } from "node:events";
import { Agent, createServer, request as send } from "node:http";
import { createInterface } from "node:readline";
import { createModelGateway } from "@switchyard/gateway";
import { secret } from "@switchyard/secrets";

const [contender = "", providerUrl = "", runs = ""] = process.argv.slice(2);

/**
 * Where the requests of one run are sent.
 * @typedef {{ url: string, token: string }} RunTarget
 */

/**
 * A proxy.
 * @typedef {{ targets: readonly RunTarget[], tokens: () => number }} Proxy
 */

/** Opens the gateway with one run per client. @returns {Promise<Proxy>} */
async function openOurs() {
  const upstreams = { anthropic: { apiKey: secret("sk-bench-0123456789"), baseUrl: `${providerUrl}/v1` } };
  const gateway = createModelGateway({ upstreams });
  const budget = { tokens: 1e12, costMicros: 1e15 };
  const opened = await Promise.all(
    Array.from({ length: Number(runs) }, (_, index) =>
      gateway.openRun({ runId: `run-${index}`, models: ["claude-*"], budget }),
    ),
  );
  return {
    targets: opened.map(({ baseUrl, token }) => ({ url: `${baseUrl}/v1/messages`, token: token.reveal() })),
    tokens: () => opened.reduce((sum, run) => sum + run.used().usage.totalTokens, 0),
  };
}

/** Opens a minimal proxy of `node:http`, without checks and without measurements. @returns {Promise<Proxy>} */
async function openBare() {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(providerUrl);
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const forwarded = send({ hostname, port, method, path, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1/messages`;
  return { targets: Array.from({ length: Number(runs) }, () => ({ url, token: "none" })), tokens: () => 0 };
}

/** No proxy: clients connect to the provider. @returns {Promise<Proxy>} */
async function openDirect() {
  const target = { url: `${providerUrl}/v1/messages`, token: "none" };
  return { targets: Array.from({ length: Number(runs) }, () => target), tokens: () => 0 };
}

const open = { ours: openOurs, bare: openBare, direct: openDirect }[contender];
if (open === undefined) throw new Error(`There is no contender ${contender}.`);
const { targets, tokens } = await open();
console.log(JSON.stringify(targets));
let before = process.cpuUsage();
for await (const _ of createInterface({ input: process.stdin })) {
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  console.log(JSON.stringify({ cpuUs: user + system, tokens: tokens() }));
}
