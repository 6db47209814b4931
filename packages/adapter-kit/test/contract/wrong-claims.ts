import type { AgentAdapter } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { WrongAdapter } from "./wrong-adapters.ts";

type Turn = Parameters<AgentAdapter["runTurn"]>[1];

/** Adapters that confuse their own data with that of their sessions or of the environment. */
export const wrongEnvironments: readonly WrongAdapter[] = [
  {
    fault: "whoever was the last to ask for a turn is told of all turns",
    noticedBy: ["adapter/sessions-apart"],
    wrong: (right) => {
      let onEvent: Turn["onEvent"] = () => {};
      return {
        runTurn(session, turn) {
          onEvent = turn.onEvent;
          return right.runTurn(session, { ...turn, onEvent: (event) => onEvent(event) });
        },
      };
    },
  },
  {
    fault: "stopping one session stops all of them",
    noticedBy: ["adapter/sessions-apart"],
    wrong: (right) => {
      const sessions: Awaited<ReturnType<AgentAdapter["startSession"]>>[] = [];
      return {
        async startSession(options) {
          const session = await right.startSession(options);
          sessions.push(session);
          return session;
        },
        async stopSession() {
          for (const session of sessions) await right.stopSession(session);
        },
      };
    },
  },
  {
    fault: "the agent is started on the machine of its host, wherever its session is",
    noticedBy: ["adapter/through-environment"],
    wrong: (right) => ({
      startSession: async (options) => {
        const environment = await openLocalEnvironment({ root: options.workspacePath, env: process.env });
        return right.startSession({ ...options, environment });
      },
    }),
  },
];

/** Adapters whose declarations are wrong. */
export const wrongClaims: readonly WrongAdapter[] = [
  {
    fault: "its kind has no name",
    noticedBy: ["adapter/capabilities"],
    wrong: () => ({ kind: "" }),
  },
  {
    fault: "tokens are told that it says there are none of",
    noticedBy: ["adapter/usage-claimed"],
    wrong: ({ capabilities }) => ({ capabilities: { ...capabilities, usage: "none" } }),
  },
  {
    fault: "sessions go on although it says that they cannot",
    noticedBy: ["adapter/resume-claimed"],
    wrong: ({ capabilities }) => ({ capabilities: { ...capabilities, resume: "none" } }),
  },
  {
    fault: "sessions go on by their folder after a turn that failed",
    noticedBy: ["adapter/resume-claimed"],
    wrong: ({ capabilities }) => ({ capabilities: { ...capabilities, resume: "folder" } }),
  },
  {
    fault: "settings of another type are a mistake of its own",
    noticedBy: ["adapter/config-wrong"],
    setting(setting) {
      if (typeof setting.config["env"] === "string") throw new TypeError("names.map is not a function");
      return setting;
    },
    wrong: () => ({}),
  },
];
