import { EngineError } from "@switchyard/contracts";
import { type AdapterKind, defineAdapter, forkPerTurnAdapter, stripColours } from "../src/index.ts";

interface PlainState {
  succeeded: boolean;
}

/** An adapter for an agent that prints plain text, continues by its folder and requires a key that is missing. */
export const plainAcme: AdapterKind = defineAdapter({
  ...{ kind: "acme-plain", defaultCommand: "acme", credentials: ["ACME_KEY"] },
  capabilities: { usage: "none", resume: "folder", permissions: "a list of trusted tools", mcp: false },
  readConfig: () => undefined,
  create: (settings) =>
    forkPerTurnAdapter<PlainState>(settings, {
      start({ isRemote, variables }) {
        if (!isRemote && variables["ACME_KEY"] === undefined) {
          throw new EngineError("adapter.credential_unverified", { problem: "ACME_KEY is not set" });
        }
        return { succeeded: false };
      },
      announcesEarly: true,
      buildTurn: ({ prompt, state }) => ({ args: [...(state.succeeded ? ["--again"] : []), "--", prompt] }),
      parseLine(line, turn) {
        turn.notify(stripColours(line));
      },
      finish({ stderr, responded }, turn, state) {
        if (stderr.includes("Credits: 1")) {
          // The trailer is printed after a successful task.
          turn.text("done");
          turn.report({ kind: "success" });
          state.succeeded = true;
        } else if (!responded && stderr.includes("Authentication failed.")) {
          turn.report({ kind: "failure", problem: "authentication failed", code: "adapter.response_error" });
        }
      },
    }),
});
