import {
  type AdapterKind,
  type AgentSettings,
  defineAdapter,
  type ForkPerTurnHooks,
  forkPerTurnAdapter,
  listAt,
  numberAt,
  parseJsonLine,
  pulledAdapter,
  type TurnScope,
  textAt,
} from "../src/index.ts";

function parseLine(line: string, turn: TurnScope): void {
  const event = parseJsonLine(line);
  switch (textAt(event, "type")) {
    case "hello":
      turn.sessionStarted(textAt(event, "session"), { model: textAt(event, "model") });
      return;
    case "text":
      turn.text(textAt(event, "text"));
      return;
    case "call":
      turn.toolStarted({ id: textAt(event, "id"), name: textAt(event, "name"), arguments: event["arguments"] });
      return;
    case "called":
      turn.toolEnded(textAt(event, "id"), {
        output: textAt(event, "output"),
        isError: event["failed"] === true,
      });
      return;
    case "usage":
      turn.requestUsage(textAt(event, "id"), {
        inputTokens: numberAt(event, "in"),
        outputTokens: numberAt(event, "out"),
      });
      return;
    case "question":
      turn.asksPerson(textAt(event, "text"));
      return;
    case "denied":
      turn.permissionRefused(String(listAt(event, "tools")));
      return;
    case "bye": {
      const [inputTokens, outputTokens] = [numberAt(event, "in"), numberAt(event, "out")];
      if (inputTokens !== undefined) turn.turnUsage({ inputTokens, outputTokens });
      if (event["ok"] === true) {
        turn.report({ kind: "success" });
        return;
      }
      turn.report({ kind: "failure", problem: textAt(event, "why") });
      return;
    }
    default:
      turn.other(textAt(event, "type"));
      return;
  }
}

function hooksOf(settings: AgentSettings): ForkPerTurnHooks<undefined> {
  return {
    start: () => undefined,
    mintSessionId: () => settings.createId(),
    buildTurn: ({ turn, prompt, sessionId, isResumed }) => ({
      args: [turn === 1 && !isResumed ? "--session" : "--continue", sessionId],
      stdin: prompt,
    }),
    sessionNotFound: /^no such session/u,
    parseLine,
  };
}

function defineAcme(kind: string, isPulled: boolean): AdapterKind {
  return defineAdapter({
    ...{ kind, defaultCommand: "acme", credentials: ["ACME_API_KEY"] },
    capabilities: { usage: "incremental", resume: "id", permissions: "none are asked for", mcp: false },
    readConfig: (reader) => {
      reader.exclude("trust_all_tools", "trust_tools");
      return {
        ...{ model: reader.text("model"), all: reader.flag("trust_all_tools"), tools: reader.texts("trust_tools") },
        keyVariable: reader.text("key_env"),
      };
    },
    configuredVariables: ({ keyVariable }) => (keyVariable === undefined ? [] : [keyVariable]),
    redirect: {
      route: ({ model }) => ({
        ...{ provider: "acme", apis: ["openai-chat"] },
        ...(model === "local" ? { directReason: "its model local is not on a server" } : {}),
      }),
      replaces: ["ACME_API_KEY", "ACME_REGION"],
      variables: ({ baseUrl, token }) => ({ ACME_URL: baseUrl("openai-chat"), ACME_TOKEN: token }),
    },
    create(settings) {
      const adapter = forkPerTurnAdapter(settings, hooksOf(settings));
      return isPulled ? pulledAdapter(adapter) : adapter;
    },
  });
}

/** An adapter with callbacks for an agent that does not exist. */
export const acme: AdapterKind = defineAcme("acme", false);
/** The same adapter with events that the caller pulls. */
export const pulledAcme: AdapterKind = defineAcme("acme-pulled", true);
