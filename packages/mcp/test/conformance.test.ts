import { beforeAll, expect, test } from "vitest";
import { loginToServer } from "../src/index.ts";
import { memoryLogins } from "./authorization-server.ts";
import {
  clientScenarios,
  runClientScenario,
  runClientScenarios,
  type ScenarioEnd,
  type ScenarioServer,
} from "./conformance.ts";
import { openServers } from "./open-servers.ts";

/** Shorter than the time limit of the suite, so that its output names the call that was not answered. */
const WAIT_MS = 120_000;
/** Conformance scenarios that do not apply to this client, with the reason. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  "elicitation-sep1034-client-defaults": "the client does not offer to ask a person for a server",
  "auth/metadata-var2":
    "the suite's metadata names another issuer than its address, which RFC 8414 §3.3 has clients refuse",
  "auth/metadata-var3": "the same",
  "auth/basic-cimd": "a client id that is an address needs a document that somebody serves",
  "auth/scope-step-up": "a person signs in beforehand, and signs in again for more rights",
  "auth/client-credentials-jwt": "a client that signs in by itself has a secret, no key pair",
};

/** Uses a server as a run does: signs in if required, lists the tools, and calls each of them. */
async function useServer(name: string, { url, ...client }: ScenarioServer): Promise<void> {
  const grant = name.includes("client-credentials") ? "client_credentials" : "authorization_code";
  const config = { url, ...(client.clientId === undefined ? {} : { oauth: { grant, ...client } as const }) };
  const logins = memoryLogins();
  {
    await using first = await openServers({ box: config }, { logins });
    const [status] = first.connections.servers();
    if (status?.state === "ready") return await callAll(first);
    if (!status?.problem?.includes("requires authentication")) throw new Error(status?.problem ?? "it is not ready");
  }
  await loginToServer("box", {
    ...{ config, logins, signal: AbortSignal.timeout(WAIT_MS) },
    onAddress: (address) => void fetch(address).then((page) => page.body?.cancel()),
  });
  await using again = await openServers({ box: config }, { logins });
  await callAll(again);
}

async function callAll(servers: Awaited<ReturnType<typeof openServers>>): Promise<void> {
  for (const { definition } of servers.connections.tools()) {
    await servers.call(definition.name, { a: 5, b: 3 }, { signal: AbortSignal.timeout(WAIT_MS) });
  }
}

/** Scenario that measures how soon the client connects again, so no other one runs beside it. */
const TIMED = "sse-retry";

const scenarios = await clientScenarios();

let resultOf: (name: string) => ScenarioEnd;

beforeAll(async () => {
  resultOf = await runClientScenarios(async (name, server) => {
    if (name !== TIMED) await useServer(name, server);
  });
});

test.each(scenarios.filter((name) => NOT_APPLICABLE[name] === undefined))(
  "the conformance scenario %s passes",
  async (name) => {
    const { isPassed, output } = name === TIMED ? await runClientScenario(name, useServer) : resultOf(name);
    expect(isPassed, output).toBe(true);
  },
);

test.each(Object.entries(NOT_APPLICABLE))(
  "the conformance scenario %s is excluded for a reason that still applies: %s",
  (name) => {
    expect(scenarios).toContain(name);
    expect(resultOf(name).isPassed, "it passes by now: take it off the list").toBe(false);
  },
);
