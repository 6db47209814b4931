import type { Engine } from "@switchyard/contracts";
import { parseTokens, ROLES } from "../src/index.ts";
import { type CallOptions, call, toRecord } from "./call-api.ts";
import type { OpenedServer } from "./open-server.ts";

/** Each role, each pair of roles, and all roles. Each set has a token of the owner `ada`, and one of the owner `bob`. */
export const ROLE_SETS: readonly (readonly string[])[] = [
  ...ROLES.map((role) => [role]),
  ...ROLES.flatMap((role, index) => ROLES.slice(index + 1).map((other) => [role, other])),
  ROLES,
];
const OWNERS = ["ada", "bob"] as const;
export type Owner = (typeof OWNERS)[number];

/** Returns the token of an owner with a set of roles. */
export function tokenOf(owner: Owner, roles: readonly string[]): string {
  return `token-of-${owner}-with-${roles.join("-")}`;
}

/** All tokens. */
export const TOKENS = parseTokens(
  OWNERS.flatMap((owner) =>
    ROLE_SETS.map((roles) => `${tokenOf(owner, roles)} owner=${owner} roles=${roles.join(",")}`),
  ).join("\n"),
  "tokens.txt",
);
/** Id of a run that does not exist. */
export const MISSING = "0".repeat(26);

/** Requests that pass all checks of rights and change nothing, by operation. A new operation must be added. */
export const PROBES: Readonly<Record<string, CallOptions>> = {
  createRun: { body: {} },
  listRuns: {},
  readStatistics: {},
  readCaller: {},
  showRun: {},
  deleteRun: {},
  watchRun: { headers: { "last-event-id": "none" } },
  steerRun: { body: {} },
  answerRun: { body: { prompt_id: "none", text: "x" } },
  interruptRun: { body: { why: "x" } },
  resumeRun: { body: { why: "x" } },
  forkRun: { body: { why: "x" } },
  undoRun: { body: { why: "x" } },
  listArtifacts: {},
  readArtifact: {},
  readPatch: {},
  readMetrics: {},
  runOnce: { body: {} },
  describe: {},
  isStarted: {},
  isAlive: {},
  isReady: {},
};

/** Engine that asks a question and requests an approval, and repeats both after each answer until it is stopped. */
export const ASKING: Engine = {
  async execute(run, host, board) {
    const ask = async (id: string, metadata: Record<string, string>): Promise<void> => {
      for (;;) await host.askUser({ id, parts: [{ type: "text", text: "?" }], metadata }, { signal: run.signal });
    };
    await Promise.all([ask("question", {}), ask("approval", { kind: "approval", tool: "shell", arguments: "{}" })]);
    return board;
  },
};

/** Resolves with the operations of a server: method and path by id. */
export async function operationsOf(server: OpenedServer): Promise<ReadonlyMap<string, string>> {
  const { body } = await call(server, "GET /openapi.json", { token: tokenOf("ada", ["viewer"]) });
  return new Map(
    Object.entries(toRecord(body["paths"])).flatMap(([path, methods]) =>
      Object.entries(toRecord(methods)).map(([method, operation]) => [
        String(toRecord(operation)["operationId"]),
        `${method.toUpperCase()} ${path.replace("{path}", "a.txt")}`,
      ]),
    ),
  );
}
