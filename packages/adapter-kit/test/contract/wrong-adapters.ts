import { type AgentAdapter, type AgentEvent, EngineError, type TurnResult } from "@switchyard/contracts";
import type { AdapterFactory, AdapterSetting } from "@switchyard/testkit";
import type { LeadingArguments } from "./open-adapter.ts";

/** An adapter that breaks a promise, and the cases that detect it. */
export interface WrongAdapter {
  readonly fault: string;
  readonly noticedBy: readonly string[];
  /** Creates the wrong adapter from the correct one. */
  readonly wrong: (right: AgentAdapter, setting: AdapterSetting) => Partial<AgentAdapter>;
  /** Changes the setting of the adapter. */
  readonly setting?: ((setting: AdapterSetting) => AdapterSetting) | undefined;
  /** Arguments with which its agent is started. */
  readonly leading?: LeadingArguments | undefined;
}

/** Creates the factory of a wrong adapter. */
export function wrongFactory(
  { wrong, setting = (given) => given, leading }: WrongAdapter,
  open: (leading: LeadingArguments | undefined) => AdapterFactory,
): AdapterFactory {
  const right = open(leading);
  return async (given) => {
    const subject = await right(setting(given));
    return { ...subject, adapter: { ...subject.adapter, ...wrong(subject.adapter, given) } };
  };
}

type Turn = Parameters<AgentAdapter["runTurn"]>[1];

/** Changes the results of turns and the reported events. */
function butTurn(change: {
  readonly turn?: (turn: Turn) => Turn;
  readonly event?: (event: AgentEvent) => AgentEvent | undefined;
  readonly result?: (result: TurnResult) => TurnResult;
  readonly after?: (turn: Turn, result: TurnResult) => void;
}): WrongAdapter["wrong"] {
  const { turn: changeTurn = (turn) => turn, event: changeEvent = (event) => event } = change;
  return (right) => ({
    async runTurn(session, options) {
      const turn = changeTurn(options);
      const onEvent = (event: AgentEvent): void => {
        const changed = changeEvent(event);
        if (changed !== undefined) turn.onEvent(changed);
      };
      const result = await right.runTurn(session, { ...turn, onEvent });
      change.after?.(turn, result);
      return change.result?.(result) ?? result;
    },
  });
}

/** Reports the messages of the cases on standard error, followed by another message. */
function reportStderrAfter(reason: TurnResult["exitReason"]): (turn: Turn, result: TurnResult) => void {
  return ({ onEvent }, { exitReason }) => {
    if (exitReason !== reason) return;
    for (const message of ["contract: something is wrong", "bye"]) {
      onEvent({ type: "notification", timestamp: new Date().toISOString(), message });
    }
  };
}

const LAST = /^turn_/u;

/** Treats everything that is not a completed turn as one. */
const completed = (result: TurnResult): TurnResult => ({ ...result, exitReason: "turn_completed", error: undefined });
const failedAs =
  (error: EngineError) =>
  (result: TurnResult): TurnResult =>
    result.exitReason === "turn_failed" ? { ...result, error } : result;

/** Adapters that start, continue or stop sessions incorrectly. */
export const wrongSessions: readonly WrongAdapter[] = [
  {
    fault: "the agent is started with its session",
    noticedBy: ["adapter/start-runs-nothing", "adapter/stop-unused"],
    wrong: (right) => ({
      async startSession(options) {
        const session = await right.startSession(options);
        await right.runTurn(session, { prompt: "warm up", onEvent: () => {} });
        return session;
      },
      stopSession: async () => {
        throw new Error("There is no process.");
      },
    }),
  },
  {
    fault: "the workspace is not looked at",
    noticedBy: [
      ...["adapter/workspace-empty", "adapter/workspace-relative", "adapter/workspace-missing"],
      ...["adapter/workspace-file", "adapter/workspace-outside", "adapter/workspace-gone", "adapter/folder"],
    ],
    wrong: (right) => ({
      startSession: (options) =>
        right.startSession({ ...options, workspacePath: options.environment.workingDirectory }),
    }),
  },
  {
    fault: "a program that is missing is found out in the turn",
    noticedBy: ["adapter/command-missing", "adapter/command-blank"],
    setting: (setting) => ({ ...setting, config: { ...setting.config, command: "true" } }),
    wrong: () => ({}),
  },
  {
    fault: "every turn is a conversation of its own",
    noticedBy: ["adapter/turns-share-session", "adapter/session-started-once"],
    wrong: (right) => {
      const starts = new WeakMap<object, Parameters<AgentAdapter["startSession"]>[0]>();
      return {
        async startSession(options) {
          const session = await right.startSession(options);
          starts.set(session, options);
          return session;
        },
        async runTurn(session, turn) {
          const options = starts.get(session);
          if (options === undefined) return right.runTurn(session, turn);
          const own = await right.startSession(options);
          return right.runTurn(own, turn);
        },
      };
    },
  },
  {
    fault: "the id of an earlier session is ignored",
    noticedBy: ["adapter/resume"],
    wrong: (right) => ({
      startSession: ({ resumeSessionId: _, ...options }) => right.startSession(options),
    }),
  },
  {
    fault: "turns are not serialised, and any session will do",
    noticedBy: ["adapter/one-turn-at-a-time", "adapter/foreign-session", "adapter/no-turn-after-stop"],
    wrong: (right) => {
      let options: Parameters<AgentAdapter["startSession"]>[0] | undefined;
      return {
        startSession(given) {
          options = given;
          return right.startSession(given);
        },
        async runTurn(session, turn) {
          try {
            return await right.runTurn(session, turn);
          } catch {
            if (options === undefined) return { ...NOTHING, error: undefined };
            return right.runTurn(await right.startSession(options), { ...turn, signal: AbortSignal.timeout(500) });
          }
        },
      };
    },
  },
  {
    fault: "stopping a session stops nothing",
    noticedBy: ["adapter/stop-ends-turn"],
    wrong: () => ({ stopSession: async () => {} }),
  },
  {
    fault: "a session is over when a turn fails",
    noticedBy: ["adapter/next-turn-after-failure"],
    wrong: (right) => ({
      async runTurn(session, turn) {
        const result = await right.runTurn(session, turn);
        if (result.exitReason === "turn_failed") await right.stopSession(session);
        return result;
      },
    }),
  },
  {
    fault: "prompts are tidied up, and cut to what a line of a terminal takes",
    noticedBy: ["adapter/prompt-verbatim", "adapter/prompt-long"],
    wrong: butTurn({ turn: (turn) => ({ ...turn, prompt: turn.prompt.trim().slice(0, 4_096) }) }),
  },
  {
    fault: "no variables are handed on",
    noticedBy: ["adapter/variables", "adapter/masked"],
    setting: (setting) => ({ ...setting, variables: {} }),
    wrong: () => ({}),
  },
  {
    fault: "blank variables are handed on",
    noticedBy: ["adapter/blank-variables"],
    setting: (setting) => ({
      ...setting,
      variables: Object.fromEntries(
        Object.entries(setting.variables).map(([name, value]) => [name, value.trim() || "(blank)"]),
      ),
    }),
    wrong: () => ({}),
  },
  {
    fault: "secrets are arguments",
    noticedBy: ["adapter/secrets-off-the-command-line"],
    leading: ({ variables }) => Object.values(variables),
    wrong: () => ({}),
  },
];

const NOTHING: TurnResult = {
  ...{ sessionId: "", exitReason: "turn_completed", usageMeasured: false, finalMessage: "" },
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
};

/** Adapters that report events incorrectly. */
export const wrongTelling: readonly WrongAdapter[] = [
  {
    fault: "nothing is told but the end",
    noticedBy: [
      ...["adapter/text", "adapter/tools", "adapter/tools-parallel", "adapter/malformed", "adapter/invalid-utf8"],
      ...["adapter/huge-line", "adapter/unknown-lines", "adapter/stderr-told", "adapter/usage-over-turns"],
      "adapter/session-started-once",
    ],
    wrong: butTurn({ event: (event) => (LAST.test(event.type) ? event : undefined) }),
  },
  {
    fault: "ends of tools are made up, standard error is always told, and so are tokens",
    noticedBy: ["adapter/tool-unknown-end", "adapter/stderr-told", "adapter/usage-none"],
    wrong: butTurn({
      after: ({ onEvent }) => {
        const timestamp = new Date().toISOString();
        onEvent({ type: "tool_result", timestamp });
        onEvent({ type: "token_usage", timestamp, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } });
        onEvent({ type: "notification", timestamp, message: "contract: something is wrong" });
      },
    }),
  },
  {
    fault: "standard error is told twice when a turn fails",
    noticedBy: ["adapter/stderr-told"],
    wrong: butTurn({ after: reportStderrAfter("turn_failed") }),
  },
  {
    fault: "standard error is told of a turn that was cancelled",
    noticedBy: ["adapter/stderr-told"],
    wrong: butTurn({ after: reportStderrAfter("turn_cancelled") }),
  },
  {
    fault: "events have local times",
    noticedBy: ["adapter/timestamps"],
    wrong: butTurn({ event: (event) => ({ ...event, timestamp: "22/11/2026 19:00" }) }),
  },
  {
    fault: "the end is told twice, and something behind it",
    noticedBy: ["adapter/last-event", "adapter/quiet-after-turn"],
    wrong: butTurn({
      after: ({ onEvent }, { exitReason }) => {
        onEvent({ type: exitReason, timestamp: new Date().toISOString() });
        onEvent({ type: "notification", timestamp: new Date().toISOString(), message: "bye" });
      },
    }),
  },
  {
    fault: "tokens are counted twice, and not measured counts as measured",
    noticedBy: ["adapter/usage", "adapter/usage-over-turns", "adapter/failure-keeps-usage", "adapter/usage-none"],
    wrong: butTurn({
      result: (result) => ({
        ...{ ...result, usageMeasured: true },
        usage: {
          inputTokens: result.usage.inputTokens * 2,
          outputTokens: result.usage.outputTokens * 2,
          totalTokens: result.usage.totalTokens * 2,
        },
      }),
    }),
  },
];

/** Adapters that determine the outcome of turns incorrectly. */
export const wrongOutcomes: readonly WrongAdapter[] = [
  {
    fault: "every turn is completed",
    noticedBy: [
      ...["adapter/failure-reported", "adapter/failure-exit-0", "adapter/no-work", "adapter/no-work-reported"],
      ...["adapter/silent-exit-0", "adapter/exit-nonzero", "adapter/exit-early", "adapter/exit-127", "adapter/killed"],
      ...["adapter/cancelled", "adapter/cancelled-despite-success", "adapter/cancelled-stubborn"],
      ...["adapter/turn-timeout", "adapter/stall-timeout", "adapter/startup-timeout", "adapter/question"],
      ...["adapter/text-before-failure", "adapter/failure-keeps-usage", "adapter/next-turn-after-failure"],
    ],
    wrong: butTurn({ result: completed }),
  },
  {
    fault: "every turn fails",
    noticedBy: [
      ...["adapter/success", "adapter/tool-is-work", "adapter/child-holds-pipes", "adapter/daemon-holds-pipes"],
      ...["adapter/stderr-flood", "adapter/stall-from-last-event", "adapter/nested-line", "adapter/huge-line"],
      ...["adapter/result-exit-nonzero", "adapter/result-crash"],
    ],
    wrong: butTurn({
      result: (result) => ({ ...result, exitReason: "turn_failed", error: new EngineError("adapter.turn_failed") }),
    }),
  },
  {
    fault: "an agent that has reported its result is waited for",
    noticedBy: [
      ...["adapter/result-lingering", "adapter/result-stubborn", "adapter/result-children", "adapter/result-noise"],
      "adapter/result-twice",
    ],
    setting: ({ config, ...setting }) => ({ ...setting, config: { ...config, result_grace_ms: 600_000 } }),
    wrong: () => ({}),
  },
  {
    fault: "every failure is the same",
    noticedBy: [
      ...["adapter/exit-nonzero", "adapter/exit-127", "adapter/killed", "adapter/turn-timeout"],
      ...["adapter/stall-timeout", "adapter/startup-timeout", "adapter/failure-reported", "adapter/exit-early"],
    ],
    wrong: butTurn({ result: failedAs(new EngineError("adapter.turn_failed", { problem: "it failed" })) }),
  },
  {
    fault: "nothing can be cancelled until it is over by itself",
    noticedBy: ["adapter/cancelled", "adapter/cancelled-despite-success"],
    wrong: butTurn({ turn: ({ signal: _, ...turn }) => turn }),
  },
  {
    fault: "a signal that has fired already is not heard any more",
    noticedBy: ["adapter/cancelled-before"],
    wrong: butTurn({
      turn({ signal, ...turn }) {
        const aborted = new AbortController();
        signal?.addEventListener("abort", () => aborted.abort());
        return { ...turn, signal: aborted.signal };
      },
    }),
  },
  {
    fault: "what was there is forgotten when a turn does not complete",
    noticedBy: ["adapter/cancelled-keeps", "adapter/failure-keeps-usage"],
    wrong: butTurn({
      result: (result) => (result.exitReason === "turn_completed" ? result : { ...NOTHING, ...pick(result) }),
    }),
  },
];

function pick({ exitReason, error }: TurnResult): Pick<TurnResult, "exitReason" | "error"> {
  return { exitReason, error };
}
