import { fileURLToPath } from "node:url";
import type { AgentEvent, TurnResult } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { openEnvironment } from "../../test/open-environment.ts";
import {
  type AdapterKind,
  defineAdapter,
  type ForkPerTurnHooks,
  forkPerTurnAdapter,
  type PersistentHooks,
  persistentAdapter,
} from "../index.ts";

const KEY = "acme-key-0123456789";
const RPC_AGENT = fileURLToPath(new URL("../../test/rpc-agent.mjs", import.meta.url));
const COMMON = {
  ...{ kind: "acme", defaultCommand: "acme", credentials: ["ACME_KEY"], readConfig: () => undefined },
  capabilities: { usage: "none", resume: "none", permissions: "none are asked for", mcp: false },
} as const;
const SAYS_HI = [process.execPath, "-e", 'console.log("hi")'];

function broken(): never {
  throw new TypeError(`nothing at ${KEY}`);
}

function forked(hooks: Partial<ForkPerTurnHooks<undefined>>): AdapterKind {
  const right: ForkPerTurnHooks<undefined> = {
    start: () => undefined,
    buildTurn: () => ({ args: [] }),
    parseLine: (line, turn) => turn.text(line),
  };
  return defineAdapter({ ...COMMON, create: (settings) => forkPerTurnAdapter(settings, { ...right, ...hooks }) });
}

function persistent(hooks: Partial<PersistentHooks<undefined>>): AdapterKind {
  const right: PersistentHooks<undefined> = {
    start: () => undefined,
    handshake: async ({ peer }) => {
      await peer.request("hello", {}, 10_000);
      return "s-1";
    },
    async runTurn(prompt, turn, { peer }) {
      await peer.request("turn", { prompt }, 0);
      turn.report({ kind: "success" });
    },
    onNotification: (_message, turn) => turn.text("hi"),
    onRequest: () => undefined,
    interrupt: () => {},
  };
  return defineAdapter({ ...COMMON, create: (settings) => persistentAdapter(settings, { ...right, ...hooks }) });
}

interface Reported {
  readonly result: TurnResult;
  readonly events: readonly AgentEvent[];
}

async function runTurn(kind: AdapterKind, command: readonly string[], prompt = "Do it."): Promise<Reported> {
  await using opened = await openEnvironment();
  const { environment } = opened;
  const block = { command, stop_grace_ms: 2_000, stall_timeout_ms: 2_000 };
  const adapter = kind.create(block, { variables: { ACME_KEY: secret(KEY) } });
  const session = await adapter.startSession({ environment, workspacePath: environment.workingDirectory });
  const events: AgentEvent[] = [];
  try {
    return { result: await adapter.runTurn(session, { prompt, onEvent: (event) => events.push(event) }), events };
  } finally {
    await adapter.stopSession(session);
  }
}

const rpcAgent = async (hooks: Partial<PersistentHooks<undefined>>, prompt?: string): Promise<Reported> => {
  await using opened = await openEnvironment();
  return await runTurn(persistent(hooks), [process.execPath, RPC_AGENT, `${opened.folder}/log.jsonl`, ""], prompt);
};

test.each([
  ["builds a turn", () => runTurn(forked({ buildTurn: broken }), SAYS_HI), "adapter.port_exit"],
  ["looks at the end of a turn", () => runTurn(forked({ finish: broken }), SAYS_HI), "adapter.response_error"],
  ["opens a conversation", () => rpcAgent({ handshake: broken }), "adapter.response_error"],
  ["asks for a turn", () => rpcAgent({ runTurn: broken }), "adapter.response_error"],
] as const)(
  "an adapter that throws where it %s fails the turn with its reason, without secrets [adapter-events-2] [adapter-outcome-14]",
  async (_what, run, code) => {
    const { result, events } = await run();
    expect(result).toMatchObject({ exitReason: "turn_failed", error: { code } });
    expect(result.error?.message).toContain("nothing at ***REDACTED***");
    expect(events.filter(({ type }) => type.startsWith("turn_")).map(({ type }) => type)).toEqual(["turn_failed"]);
  },
);

test.each([
  ["an agent's line", () => runTurn(forked({ parseLine: broken }), SAYS_HI)],
  ["a message of its process", () => rpcAgent({ onNotification: broken })],
])(
  "an adapter that throws on %s, other than for what is no message, is told why [adapter-fork-5]",
  async (_what, run) => {
    const { events } = await run();
    expect(events.some(({ type }) => type === "malformed")).toBe(true);
    expect(events.map(({ message }) => message)).toContain("the adapter failed on a line: nothing at ***REDACTED***");
  },
);

test("an adapter that cannot ask its agent to stop still ends the turn, and the process [adapter-persistent-6]", async () => {
  const { result } = await rpcAgent({ interrupt: broken }, "hang");
  expect(result).toMatchObject({ exitReason: "turn_failed", error: { code: "adapter.response_timeout" } });
});
