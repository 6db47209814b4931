import {
  type AdapterKind,
  type CheckupFacts,
  defineAdapter,
  forkPerTurnAdapter,
  type SignIn,
} from "@switchyard/adapter-kit";
import { buildTurn } from "./build-turn.ts";
import { readCopilotConfig } from "./copilot-config.ts";
import { beginTurn, type CopilotState, createCopilotState } from "./copilot-state.ts";
import { finishTurn } from "./finish-turn.ts";
import { parseLine } from "./parse-line.ts";

/** Variables with which the command signs in, or finds its model. */
const CREDENTIALS = [
  ...([
    "COPILOT_GITHUB_TOKEN",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "COPILOT_HOME",
    "COPILOT_MODEL",
    "COPILOT_OFFLINE",
  ] as const),
  ...(["COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"] as const),
  "COPILOT_PROVIDER_TYPE",
] as const;

/** Variables of which one is enough. */
const KEYS = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"] as const;

/** The command takes the sign-in of `gh` as well, which says so without asking the network; what it was given at its own may lie in the keyring of the system. */
async function isSignedIn(facts: CheckupFacts): Promise<SignIn> {
  const key = KEYS.find(facts.has);
  if (key !== undefined) return { state: "yes", by: key };
  const gh = await facts.runProgram(["gh", "auth", "token"]);
  return gh?.exitCode === 0 ? { state: "yes", by: "gh" } : { state: "unknown" };
}

/**
 * Drives the command `copilot`: a process for every turn, continued by the id of its session. It tells the tokens of a
 * turn when it is over, in the file of its session. Tools are permitted by `allowed_tools` and `denied_tools`; without
 * these whatever would need a permission is denied, and `trust_all_tools` permits everything. agent-adapter: Copilot
 * CLI.
 */
export const copilot: AdapterKind = defineAdapter({
  kind: "copilot",
  defaultCommand: "copilot",
  capabilities: {
    ...{ usage: "turn_end", resume: "id", mcp: true },
    permissions: "lists of tools; what would need a permission is denied unless they allow it",
  },
  credentials: CREDENTIALS,
  checkup: {
    install: "npm install --global @github/copilot",
    signIn: "run `copilot` and type /login, or set COPILOT_GITHUB_TOKEN, GH_TOKEN or GITHUB_TOKEN",
    isSignedIn,
  },
  modes: {
    plan: { denied_tools: ["write", "shell"] },
    // Nobody is asked: what would need a permission is denied.
    ...{ ask: {}, auto: { trust_all_tools: true } },
    replaces: ["trust_all_tools", "allowed_tools", "denied_tools"],
  },
  readConfig: readCopilotConfig,
  create: (settings, config) =>
    forkPerTurnAdapter<CopilotState>(settings, {
      start: (target) => createCopilotState(target, config.autopilot),
      mintSessionId: () => settings.createId(),
      // The command says its id in its last line only.
      announcesEarly: true,
      buildTurn(request) {
        beginTurn(request.state);
        request.state.sessionId = request.sessionId;
        return buildTurn(config, request);
      },
      sessionNotFound: /^(?:Error: )?No session\b.* matched '/u,
      parseLine,
      finish: finishTurn,
    }),
});
