import type { Board, BoardSnapshot, Checkpoint, Engine, Host, Run } from "@switchyard/contracts";
import { type AgentEngineOptions, createAgentEngine } from "../../src/index.ts";

/** What a wrong agent leaves out of its checkpoints, and what it puts in its place when it goes on. */
interface Forgetting {
  /** What it keeps to itself. */
  readonly forget: (checkpoint: Checkpoint) => { kept: unknown; left: Checkpoint };
  readonly remember: (checkpoint: Checkpoint, kept: unknown) => Checkpoint;
}

/** The memory of a process. */
const memory: unknown[] = [];

const MARK = "memory";

function numberIn({ attributes }: Checkpoint): number {
  return Number(attributes?.[MARK] ?? Number.NaN);
}

/** An agent that has a part of its state in the memory of its process and not in its checkpoints. */
function forgetfulAgent({ forget, remember }: Forgetting): (options: AgentEngineOptions) => Engine {
  function forgetfulHost(host: Host): Host {
    return {
      publish: (envelope) => host.publish(envelope),
      interrupts: () => host.interrupts(),
      askUser: (prompt, options) => host.askUser(prompt, options),
      reportUsage: (usage) => host.reportUsage(usage),
      checkpoint: (checkpoint) => {
        const { kept, left } = forget(checkpoint);
        const number = memory.push(kept) - 1;
        return host.checkpoint({ ...left, attributes: { ...left.attributes, [MARK]: String(number) } });
      },
    };
  }

  function remembering(run: Run): Run {
    const { resumeFrom } = run;
    if (resumeFrom === undefined) return run;
    const number = numberIn(resumeFrom);
    return number in memory ? { ...run, resumeFrom: remember(resumeFrom, memory[number]) } : run;
  }

  return (options) => {
    const engine = createAgentEngine(options);
    return {
      ...engine,
      execute: (run: Run, host: Host, board: Board) => engine.execute(remembering(run), forgetfulHost(host), board),
    };
  };
}

function progressOf({ payload }: Checkpoint): object {
  return Object(Reflect.get(Object(payload), "progress"));
}

const withProgress = (checkpoint: Checkpoint, progress: object): Checkpoint => ({
  ...checkpoint,
  payload: { ...Object(checkpoint.payload), progress: { ...progressOf(checkpoint), ...progress } },
});

/** The agent, and agents that are wrong in a way that only the death of their process shows. */
export const AGENTS = {
  agent: createAgentEngine,
  /** Knows what a person said and nobody has heard yet. */
  "keeps-what-was-said": forgetfulAgent({
    forget: (checkpoint) => {
      const { steering, followUps } = { steering: [], followUps: [], ...progressOf(checkpoint) };
      return { kept: { steering, followUps }, left: withProgress(checkpoint, { steering: [], followUps: [] }) };
    },
    remember: (checkpoint, kept) => withProgress(checkpoint, Object(kept)),
  }),
  /** Knows the conversation of the main channel. */
  "keeps-the-channels": forgetfulAgent({
    forget: (checkpoint) => {
      const { channels, ...board }: BoardSnapshot = checkpoint.board;
      return { kept: channels, left: { ...checkpoint, board } };
    },
    remember: (checkpoint, kept) => ({ ...checkpoint, board: { ...checkpoint.board, channels: Object(kept) } }),
  }),
} satisfies Readonly<Record<string, (options: AgentEngineOptions) => Engine>>;

/** Name of one of the agents. */
export type AgentName = keyof typeof AGENTS;

/** The agent that tests are about: the right one, unless the tests themselves are tested. */
export function agentUnderTest(name: string = process.env["SWITCHYARD_AGENT_UNDER_TEST"] ?? "agent"): AgentName {
  if (!isAgentName(name)) throw new TypeError(`There is no agent ${name}.`);
  return name;
}

function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(AGENTS, name);
}
