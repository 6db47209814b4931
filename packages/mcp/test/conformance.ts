import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

const SUITE: string = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const RELAY: string = join(import.meta.dirname, "fixtures/conformance-relay.mjs");
const TIMEOUT_MS = 240_000;
/** Scenarios whose client may fail, because refusing the server is right. The suite knows this only of single ones. */
const MAY_FAIL: readonly string[] = ["auth/scope-retry-limit", "auth/resource-mismatch"];

/** Result of a conformance scenario. */
export interface ScenarioEnd {
  /** True if all checks of the scenario passed. */
  readonly isPassed: boolean;
  /** What the suite and the client say about it. */
  readonly output: string;
}

/** Server of a conformance scenario, and the client's credentials if the scenario provides them. */
export interface ScenarioServer {
  readonly url: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** Client of the scenarios. It rejects if it cannot use the server. */
export type ScenarioClient = (name: string, server: ScenarioServer) => Promise<void>;

function runSuite(argv: readonly string[]): Promise<ScenarioEnd> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SUITE, ...argv], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ isPassed: error === null, output: `${stdout}${stderr}` });
    });
  });
}

/** Resolves with the names of the conformance scenarios for clients. */
export async function clientScenarios(): Promise<string[]> {
  const { output } = await runSuite(["list", "--client"]);
  return [...output.matchAll(/^ {2}- (\S+)/gm)].flatMap(([, name]) => name ?? []);
}

/** Runs a program of the suite that starts a relay for each scenario, and the client for each relay in this process. */
async function runClients(argv: readonly string[], client: ScenarioClient): Promise<ScenarioEnd> {
  const server = createServer(async (request, response) => {
    try {
      const given: { scenario: string } = JSON.parse(await text(request));
      await client(given.scenario, serverOf(given));
      response.end();
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const command = `${process.execPath} ${RELAY} http://127.0.0.1:${portOf(server.address())}`;
    return await runSuite(["client", "--command", command, "--timeout", String(TIMEOUT_MS), ...argv]);
  } finally {
    server.close();
  }
}

/** Runs a conformance scenario with a client in this process. */
export function runClientScenario(name: string, client: ScenarioClient): Promise<ScenarioEnd> {
  return runClients(["--scenario", name], client);
}

/**
 * Runs all conformance scenarios at once, with clients in this process. Resolves with a function that returns the result
 * of a scenario. Starting the suite takes several times as long as a scenario.
 */
export async function runClientScenarios(client: ScenarioClient): Promise<(name: string) => ScenarioEnd> {
  // The suite does not look at how a client ends when it runs all scenarios: neither at an error nor at a client that
  // never starts or never ends.
  const ended = new Set<string>();
  const problems = new Map<string, string>();
  const { output } = await runClients(["--suite", "all", "--verbose"], async (name, server) => {
    try {
      await client(name, server);
      ended.add(name);
    } catch (error) {
      problems.set(name, String(error));
      throw error;
    }
  });
  const summary = output.split(/^(?=[✓✗] )/m);
  return (name) => {
    const checks = summary.find((part) => part.startsWith(`✓ ${name}:`) || part.startsWith(`✗ ${name}:`)) ?? output;
    const hasEnded = ended.has(name) || (problems.has(name) && MAY_FAIL.includes(name));
    const problem = problems.get(name) ?? (ended.has(name) ? "" : "The client did not run to its end.");
    return { isPassed: checks.startsWith("✓") && hasEnded, output: `${checks}${problem}` };
  };
}

function serverOf(given: unknown): ScenarioServer {
  const { url, context }: Partial<Record<string, unknown>> = Object(given);
  if (typeof url !== "string") throw new Error("the suite gave no address");
  const { client_id: clientId, client_secret: clientSecret }: Partial<Record<string, unknown>> =
    typeof context === "string" ? JSON.parse(context) : {};
  return {
    url,
    ...(typeof clientId === "string" ? { clientId } : {}),
    ...(typeof clientSecret === "string" ? { clientSecret } : {}),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the relay has no port");
  return address.port;
}
