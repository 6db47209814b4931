import {
  createProfile,
  createSummaryCompaction,
  Session,
  type SessionEvents,
  type SessionOptions,
} from "@switchyard/agent";
import { EngineError, type Part, type RegisteredTool } from "@switchyard/contracts";
import { answer, failure, inertEnvironment, type ScriptStep, scriptedClient, text } from "@switchyard/testkit";
import fc from "fast-check";
import type { Family } from "./wire-checks.ts";

/** The models of the three families from which and to which histories are converted. */
const MODELS = { openai: "gpt-5.1", anthropic: "claude-sonnet-4-5", gemini: "gemini-2.5-pro" } as const;

/** The scripted behaviour of a model in one call, and the messages that the user sends meanwhile. */
interface HistoryStep {
  readonly parts: readonly Part[];
  /** Whether the stream breaks off before its end. */
  readonly isBroken: boolean;
  /** Steering message that is sent while the response is streamed. */
  readonly steering: string | undefined;
}

/** A session from its first input to its last. */
export interface HistoryScript {
  readonly family: Family;
  readonly inputs: readonly string[];
  readonly steps: readonly HistoryStep[];
  readonly hasCompaction: boolean;
}

const texts = fc.oneof(fc.constantFrom("", " ", "done", "\n", "é🙂\ud800", "<system>x</system>"), fc.string());
const names = fc.constantFrom(
  "good",
  "good",
  "picture",
  "bad",
  "mute",
  "spawn_agent",
  "wait",
  "nothing",
  "odd name!",
  "",
);
const ids = fc.oneof(
  fc.constantFrom("", "call_1", "call_1", "a b/c", `x${"y".repeat(90)}`),
  fc.string({ maxLength: 8 }),
);
const inputs = fc.constantFrom(
  "{}",
  "",
  "{",
  "[]",
  '"x"',
  '{"task":"help"}',
  '{"agent_id":"agent-1"}',
  '{"a":{"b":[1]}}',
);

/** Returns reasoning with the data that each provider attaches and requires back. */
function thinkingOf(family: Family, shown: string): Part {
  const metadata = {
    openai: { itemId: "rs_1", reasoningEncryptedContent: "ZW5j" },
    anthropic: { signature: "c2ln" },
    gemini: { thoughtSignature: "c2ln" },
  }[family];
  return { type: "thinking", text: shown, providerMetadata: { [family]: metadata } };
}

function partsFor(family: Family): fc.Arbitrary<readonly Part[]> {
  const thinking = fc.option(
    texts.map((shown) => thinkingOf(family, shown)),
    { nil: undefined },
  );
  const text = fc.option(
    texts.map((value): Part => ({ type: "text", text: value })),
    { nil: undefined },
  );
  const call = fc
    .record({ id: ids, name: names, arguments: inputs })
    .map((each): Part => ({ type: "tool_call", ...each }));
  return fc
    .tuple(thinking, text, fc.array(call, { maxLength: 3 }))
    .map(([first, second, calls]) => [first, second, ...calls].filter((part) => part !== undefined));
}

/** Any session. */
export const anyHistory: fc.Arbitrary<HistoryScript> = fc
  .constantFrom<Family>("openai", "anthropic", "gemini")
  .chain((family) =>
    fc.record({
      family: fc.constant(family),
      inputs: fc.array(texts, { minLength: 1, maxLength: 3 }),
      steps: fc.array(
        fc.record({
          parts: partsFor(family),
          isBroken: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
          steering: fc.option(texts, { nil: undefined, freq: 4 }),
        }),
        { maxLength: 8 },
      ),
      hasCompaction: fc.boolean(),
    }),
  );

const PIXEL = {
  type: "image" as const,
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  mediaType: "image/png",
};

function tool(name: string, execute: RegisteredTool["execute"]): RegisteredTool {
  return { definition: { name, description: name, parameters: { type: "object" } }, execute };
}

const TOOLS: readonly RegisteredTool[] = [
  tool("good", () => "g".repeat(400)),
  tool("mute", () => ""),
  tool("picture", () => ({ content: "", images: [PIXEL] })),
  tool("bad", () => {
    throw new Error("it broke");
  }),
];

/** Returns the session options for a family in these tests. */
export function optionsFor(family: Family): Omit<SessionOptions, "client"> {
  const profile = createProfile(family, { model: MODELS[family], supportsStreaming: false, contextWindowTokens: 600 });
  // A broken response is retried at once.
  const turnRetry = { delay: async () => {} };
  return { profile, environment: inertEnvironment(), tools: TOOLS, turnRetry, config: { maxToolRoundsPerInput: 4 } };
}

function scriptOf({ steps }: HistoryScript, steer: (text: string) => void): ScriptStep[] {
  return steps.map(({ parts, isBroken, steering }) => () => {
    if (steering !== undefined) steer(steering);
    const text = { kind: "answer" as const, parts };
    const lost = new EngineError("llm.network", { provider: "p", problem: "reset" });
    return isBroken ? failure(lost, { after: text }) : answer(text);
  });
}

async function followed(events: SessionEvents, onEvent: () => void): Promise<void> {
  for await (const _ of events) onEvent();
}

/**
 * Plays a session and saves its state at every event, as another process would find it. Subagents use the same script.
 */
export async function savedAtEveryEvent(script: HistoryScript): Promise<readonly string[]> {
  const saved: string[] = [];
  let steer = (_: string): void => {};
  const rest = Array.from({ length: 30 }, () => text("A summary, or the end."));
  const client = scriptedClient([...scriptOf(script, (message) => steer(message)), ...rest], {
    provider: script.family,
    model: MODELS[script.family],
  });
  const { profile, ...options } = optionsFor(script.family);
  const session = new Session({
    ...options,
    profile: { ...profile, supportsStreaming: true },
    client,
    ...(script.hasCompaction ? { compaction: createSummaryCompaction({ keepTokens: 100 }) } : {}),
  });
  steer = (message) => {
    if (session.state !== "closed") session.steer(message);
  };
  const keep = (): void => void saved.push(JSON.stringify(session.save()));
  keep();
  for (const input of script.inputs) {
    if (session.state === "closed") break;
    await followed(session.submit(input), keep);
  }
  await session.close();
  keep();
  return saved;
}
