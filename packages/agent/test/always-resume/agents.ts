import type { Board, BoardSnapshot, Checkpoint, Engine, Host, Run } from "@switchyard/contracts";
import { type AgentEngineOptions, createAgentEngine } from "../../src/index.ts";

/** Fault of an agent that stores part of its state in memory instead of its checkpoints. */
interface Forgetting {
  /** Splits a checkpoint into the part that stays in memory and the part that is stored. */
  readonly forget: (checkpoint: Checkpoint) => { removed: unknown; remaining: Checkpoint };
  readonly remember: (checkpoint: Checkpoint, removed: unknown) => Checkpoint;
}

/** State that the agent lost from its checkpoints. It only exists in the memory of this process. */
const memory: unknown[] = [];

const MARK = "memory";

function numberIn({ attributes }: Checkpoint): number {
  return Number(attributes?.[MARK] ?? Number.NaN);
}

/** Creates an agent that stores part of its state in the memory of its process instead of its checkpoints. */
function forgetfulAgent({ forget, remember }: Forgetting): (options: AgentEngineOptions) => Engine {
  function forgetfulHost(host: Host): Host {
    return {
      publish: (envelope) => host.publish(envelope),
      interrupts: () => host.interrupts(),
      askUser: (prompt, options) => host.askUser(prompt, options),
      reportUsage: (usage) => host.reportUsage(usage),
      checkpoint: (checkpoint) => {
        const { removed, remaining } = forget(checkpoint);
        const number = memory.push(removed) - 1;
        return host.checkpoint({ ...remaining, attributes: { ...remaining.attributes, [MARK]: String(number) } });
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

/** The real agent, and faulty agents whose fault only becomes visible when their process ends. */
export const AGENTS = {
  agent: createAgentEngine,
  /** Stores queued steering messages and follow-ups only in memory. */
  "keeps-what-was-said": forgetfulAgent({
    forget: (checkpoint) => {
      const { steering, followUps } = { steering: [], followUps: [], ...progressOf(checkpoint) };
      return { removed: { steering, followUps }, remaining: withProgress(checkpoint, { steering: [], followUps: [] }) };
    },
    remember: (checkpoint, removed) => withProgress(checkpoint, Object(removed)),
  }),
  /** Stores the messages of the board's channels only in memory. */
  "keeps-the-channels": forgetfulAgent({
    forget: (checkpoint) => {
      const { channels, ...board }: BoardSnapshot = checkpoint.board;
      return { removed: channels, remaining: { ...checkpoint, board } };
    },
    remember: (checkpoint, removed) => ({ ...checkpoint, board: { ...checkpoint.board, channels: Object(removed) } }),
  }),
} satisfies Readonly<Record<string, (options: AgentEngineOptions) => Engine>>;

/** Name of an agent in `AGENTS`. */
export type AgentName = keyof typeof AGENTS;

/** Returns the name of the agent under test. A faulty agent is used only to check that the tests detect the fault. */
export function agentUnderTest(name: string = process.env["SWITCHYARD_AGENT_UNDER_TEST"] ?? "agent"): AgentName {
  if (!isAgentName(name)) throw new TypeError(`There is no agent ${name}.`);
  return name;
}

function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(AGENTS, name);
}
