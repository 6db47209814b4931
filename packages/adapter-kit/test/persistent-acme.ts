import {
  type AdapterKind,
  defineAdapter,
  numberAt,
  type PersistentHooks,
  persistentAdapter,
  textAt,
} from "../src/index.ts";

const HOOKS: PersistentHooks<undefined> = {
  start: () => undefined,
  async handshake({ peer, sessionId, requestTimeoutMs }) {
    const answer = await peer.request("hello", sessionId === "" ? {} : { resume: sessionId }, requestTimeoutMs);
    return textAt(answer, "session");
  },
  async runTurn(prompt, turn, { peer }) {
    const answer = await peer.request("turn", { prompt }, 0);
    if (textAt(answer, "status") === "done") turn.report({ kind: "success" });
    else turn.report({ kind: "incomplete" });
  },
  onNotification({ method, params }, turn) {
    if (method === "text") turn.text(textAt(params, "text"));
    else if (method === "tokens") {
      turn.conversationUsage(
        { inputTokens: numberAt(params, "all"), outputTokens: 0 },
        { inputTokens: numberAt(params, "last"), outputTokens: 0 },
      );
    } else turn.other(method);
  },
  onRequest({ method, params }, turn) {
    if (method === "permission") {
      turn.permissionRefused(textAt(params, "tool"));
      return { decision: "decline" };
    }
    if (method === "later") return Promise.resolve({ found: textAt(params, "tool") });
    if (method === "question") turn.asksPerson(textAt(params, "text"));
    return undefined;
  },
  interrupt: ({ peer }) => peer.notify("interrupt", {}),
};

/** An adapter for an agent that is one process for all turns. */
export const persistentAcme: AdapterKind = defineAdapter({
  ...{ kind: "acme-server", defaultCommand: "acme server", credentials: ["ACME_KEY"] },
  capabilities: { usage: "turn_end", resume: "id", permissions: "declined", mcp: false },
  readConfig: () => undefined,
  create: (settings) => persistentAdapter(settings, HOOKS),
});
