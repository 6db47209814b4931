import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { blockWithMode, createAdapterRegistry, type PermissionMode } from "@switchyard/adapter-kit";
import type { AgentEvent, TurnResult } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { MODEL_URL, openRealAgent } from "@switchyard/real-agents";
import { secret } from "@switchyard/secrets";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acpKinds } from "../src/index.ts";

const COMMAND = "printf 'tool ran' > made.txt && cat made.txt";
const SCRIPT = {
  tool: [
    { text: "I will run a command.", calls: [{ name: "bash", arguments: { command: COMMAND, description: "run" } }] },
    { text: "Done." },
  ],
  later: [{ text: "Second turn." }],
};
const STARTUP_MS = 150_000;

// A custom provider, in the form that a user of OpenCode would write.
const OPENCODE_CONFIG = {
  ...{ model: "scripted/small", small_model: "scripted/small" },
  provider: {
    scripted: {
      ...{ npm: "@ai-sdk/openai-compatible", name: "scripted" },
      options: { baseURL: `${MODEL_URL}/v1`, apiKey: "nobody's" },
      models: { small: { name: "small", limit: { context: 100_000, output: 4096 } } },
    },
  },
};

interface Setting {
  readonly words: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Variables in addition to those for a separate home folder. */
  readonly values: Readonly<Record<string, string>>;
}

const SETTINGS: Readonly<Record<"opencode" | "copilot", Setting>> = {
  opencode: {
    words: ["acp"],
    files: { ".config/opencode/opencode.json": JSON.stringify(OPENCODE_CONFIG) },
    values: { OPENCODE_DISABLE_MODELS_FETCH: "true" },
  },
  copilot: {
    words: ["--acp"],
    values: {
      ...{ COPILOT_PROVIDER_BASE_URL: `${MODEL_URL}/v1`, COPILOT_PROVIDER_API_KEY: "fake-copilot-key-0123456789" },
      ...{ COPILOT_MODEL: "mock-model", COPILOT_OFFLINE: "true" },
    },
  },
};

/** A session id in the agent's format that belongs to no session. */
const UNKNOWN_SESSION = { opencode: "ses_0123456789abcdefghijklmnop", copilot: "3cb916db-26aa-40f2-86b5-1ba81b225fd2" };

interface Replies {
  readonly results: readonly TurnResult[];
  readonly events: readonly AgentEvent[];
}

interface RealAgent extends AsyncDisposable {
  readonly workspace: string;
  /** Sends these messages in one session. Continues an earlier session if one is given. */
  prompt(
    prompts: readonly string[],
    options?: { mode?: PermissionMode; resume?: string | undefined },
  ): Promise<Replies>;
  /** The last message that the model received. */
  lastMessages(): string;
}

async function openAgent(name: keyof typeof SETTINGS): Promise<RealAgent | string> {
  const { words, files = {}, values } = SETTINGS[name];
  const agent = await openRealAgent(name, { script: SCRIPT, files });
  if (typeof agent === "string") return agent;
  const environment = await openLocalEnvironment({ root: agent.workspace, env: { ...process.env, ...agent.env } });
  const set = { ...values, HOME: agent.env["HOME"] ?? "", TMPDIR: agent.env["TMPDIR"] ?? "" };
  const variables = Object.fromEntries(Object.entries(set).map(([variable, value]) => [variable, secret(value)]));
  const kind = createAdapterRegistry(acpKinds).get(`acp:${name}`);
  return {
    workspace: agent.workspace,
    async prompt(prompts, { mode, resume } = {}) {
      const block = { command: [...agent.command, ...words], env: Object.keys(set), startup_timeout_ms: STARTUP_MS };
      const adapter = kind.create(mode === undefined ? block : blockWithMode(kind, block, mode), { variables });
      const session = await adapter.startSession({
        ...{ environment, workspacePath: environment.workingDirectory, resumeSessionId: resume },
      });
      const [results, events]: [TurnResult[], AgentEvent[]] = [[], []];
      for (const prompt of prompts) {
        results.push(await adapter.runTurn(session, { prompt, onEvent: (event) => events.push(event) }));
      }
      await adapter.stopSession(session);
      return { results, events };
    },
    lastMessages: () => JSON.stringify(agent.requests().at(-1)?.messages ?? []),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await agent.dispose();
    },
  };
}

describe.each(["opencode", "copilot"] as const)("the real %s, without a network", (name) => {
  // One home for all tests: the first start in a new one takes several times as long as the others.
  let opened: RealAgent | string;
  beforeAll(async () => {
    opened = await openAgent(name);
  });
  afterAll(async () => {
    if (typeof opened !== "string") await opened[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    if (typeof opened !== "string") await rm(join(opened.workspace, "made.txt"), { force: true });
  });

  function agentOr(skip: (reason: string) => never): RealAgent {
    return typeof opened === "string" ? skip(opened) : opened;
  }

  test("a tool call that is permitted, and a second turn in another process [adapter-acp-1] [adapter-resume-1]", async ({
    skip,
  }) => {
    const agent = agentOr(skip);
    const first = await agent.prompt(["CASE:tool Do it."], { mode: "auto" });
    expect(first.results[0]?.error).toBeUndefined();
    expect(first.results[0]).toMatchObject({ exitReason: "turn_completed", finalMessage: "Done." });
    expect(await readFile(join(agent.workspace, "made.txt"), "utf8")).toBe("tool ran");
    const tools = first.events.filter(({ type }) => type === "tool_result");
    expect(tools.map(({ toolError }) => toolError)).toEqual([false]);
    const resume = first.results[0]?.sessionId;
    const second = await agent.prompt(["CASE:later Go on."], { resume });
    expect(second.results[0]?.error).toBeUndefined();
    expect(second.results[0]).toMatchObject({ finalMessage: "Second turn.", sessionId: resume });
    expect(agent.lastMessages()).toContain("CASE:tool Do it.");
  });

  test.for(["plan", "ask"] as const)(
    "in the mode %s it changes nothing, and the session goes on [adapter-permissions-1] [adapter-capabilities-3]",
    async (mode, { skip }) => {
      const agent = agentOr(skip);
      const { results } = await agent.prompt(["CASE:tool Do it.", "CASE:later Go on."], { mode });
      expect(results.map(({ exitReason }) => exitReason)).toEqual(["turn_completed", "turn_completed"]);
      expect(await readdir(agent.workspace)).not.toContain("made.txt");
    },
  );

  test("an unknown session is reported as session_not_found [adapter-resume-6]", async ({ skip }) => {
    const agent = agentOr(skip);
    const { results } = await agent.prompt(["CASE:later Go on."], { resume: UNKNOWN_SESSION[name] });
    expect(results[0]?.error).toMatchObject({ code: "adapter.session_not_found" });
  });
});
