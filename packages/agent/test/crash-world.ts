import { type ControlMessage, DEPENDENCY, type ModelRequest, type Part } from "@switchyard/contracts";
import { createAgentEngine, createAnthropicProfile, type SessionConfig } from "../src/index.ts";
import { controlSource } from "./control-source.ts";
import { conversationClient } from "./conversation-client.ts";
import { essenceOfRun, momentTool, type PlayedProcess, type PlayedRun, playRun } from "./killable-world.ts";

/**
 * Tool call of a script. The name is that of a tool of the crash test (`look`, `put`, `spend`), or of a tool that does
 * not exist.
 */
export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

/** Script of a session: the tool calls of each model response. A response without calls contains a text. */
export interface Script {
  readonly rounds: readonly (readonly ScriptedCall[])[];
  readonly config?: Partial<SessionConfig>;
  readonly isParallel?: boolean;
  /** Message that a user sends while the model responds, by 0-based number of the response. */
  readonly messages?: Readonly<Record<number, ControlMessage>>;
}

/** Result of running a script. */
export interface Played extends PlayedRun {
  /** Requests to the model. */
  readonly requests: readonly ModelRequest[];
}

function answersOf({ rounds }: Script): Part[][] {
  return rounds.map((calls, round): Part[] => {
    if (calls.length === 0) return [{ type: "text", text: `answer ${round + 1}` }];
    return calls.map(({ name, args }, index) => {
      return { type: "tool_call", id: `call-${round}-${index}`, name, arguments: JSON.stringify(args) };
    });
  });
}

/**
 * Runs a script with simulated crashes: `kills` contains the 1-based step at which each attempt is killed. Attempts are
 * repeated until one completes.
 */
export async function play(script: Script, kills: readonly number[] = []): Promise<Played> {
  const requests: ModelRequest[] = [];
  const answers = answersOf(script);
  const { isParallel, config, messages } = script;
  const played = await playRun(
    {
      labelOf: ({ type }) => type,
      start: (attempt, tools): PlayedProcess => {
        const control = controlSource();
        const client = conversationClient({
          answer: (_, number) => answers[number],
          onCall: (moment, request) => {
            attempt.moment(`model ${moment}`);
            if (moment === "answered") return;
            requests.push(request);
            const message = messages?.[request.messages.filter(({ role }) => role === "assistant").length];
            if (message !== undefined) control.send(message);
          },
        });
        const sendMessage = momentTool(attempt, "say", {
          effects: "idempotent",
          act: ({ steer, followUp }) => {
            if (steer !== undefined) control.send({ type: "steer", text: String(steer) });
            if (followUp !== undefined) control.send({ type: "follow_up", text: String(followUp) });
            return "said";
          },
        });
        const parallel = isParallel === false ? { supportsParallelToolCalls: false } : {};
        const profile = createAnthropicProfile({ model: "claude", ...parallel });
        const limits = { abortGraceMs: 1, ...config };
        const engine = createAgentEngine({ client, profile, tools: [...tools, sendMessage], config: limits });
        return { engine, deps: [[DEPENDENCY.control, control]] };
      },
    },
    kills,
  );
  return { ...played, requests };
}

/** Returns the parts of the result that must be the same with and without crashes. promise D9. */
export function essenceOf(played: Played): unknown {
  const { messages, tools } = played.requests.at(-1) ?? {};
  return essenceOfRun(played, { lastRequest: { messages, tools } });
}
