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
const TIMEOUT_MS = 60_000;

/** Result of a program of the conformance suite. */
export interface SuiteEnd {
  /** True if all checks of the program passed. */
  readonly isPassed: boolean;
  /** Output of the program. */
  readonly output: string;
}

/** Server of a conformance scenario, and the client's credentials if the scenario provides them. */
export interface ScenarioServer {
  readonly url: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

function runSuite(argv: readonly string[]): Promise<SuiteEnd> {
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

/** Runs a conformance scenario with a client in this process. */
export async function runClientScenario(
  name: string,
  client: (given: ScenarioServer) => Promise<void>,
): Promise<SuiteEnd> {
  const server = createServer(async (request, response) => {
    try {
      const given: unknown = JSON.parse(await text(request));
      await client(serverOf(given));
      response.end();
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const command = `${process.execPath} ${RELAY} http://127.0.0.1:${portOf(server.address())}`;
    return await runSuite(["client", "--command", command, "--scenario", name, "--timeout", String(TIMEOUT_MS)]);
  } finally {
    server.close();
  }
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
