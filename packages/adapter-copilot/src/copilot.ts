import {
  type AdapterKind,
  type Authentication,
  type CheckupFacts,
  copilotRedirect,
  defineAdapter,
  forkPerTurnAdapter,
} from "@switchyard/adapter-kit";
import { buildTurn } from "./build-turn.ts";
import { readCopilotConfig } from "./copilot-config.ts";
import { beginTurn, type CopilotState, createCopilotState } from "./copilot-state.ts";
import { finishTurn } from "./finish-turn.ts";
import { parseLine } from "./parse-line.ts";

/** Environment variables that authenticate `copilot` or configure its model. */
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

/** Environment variables, each of which is sufficient to authenticate. */
const KEYS = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"] as const;

/**
 * Returns the authentication state. `copilot` also accepts the authentication of `gh`, which can be checked offline.
 * The credentials of `copilot` itself may be in the system's keyring, which is not checked.
 */
async function checkAuthentication(facts: CheckupFacts): Promise<Authentication> {
  const key = KEYS.find(facts.has);
  if (key !== undefined) return { state: "yes", by: key };
  const gh = await facts.runProgram(["gh", "auth", "token"]);
  return gh?.exitCode === 0 ? { state: "yes", by: "gh" } : { state: "unknown" };
}

/**
 * Drives the `copilot` command with one process per turn, which resumes the session by its id. Usage is read from the
 * session's file after each turn. `allowed_tools` and `denied_tools` control tools. By default everything that needs a
 * permission is denied; `trust_all_tools` allows everything. See agent-adapter: Copilot CLI.
 */
export const copilot: AdapterKind = defineAdapter({
  kind: "copilot",
  defaultCommand: "copilot",
  capabilities: {
    ...{ usage: "turn_end", resume: "id", mcp: true },
    permissions: "lists of tools; calls that need a permission are denied unless a list allows them",
  },
  credentials: CREDENTIALS,
  checkup: {
    install: "npm install --global @github/copilot",
    login: "run `copilot` and type /login, or set COPILOT_GITHUB_TOKEN, GH_TOKEN or GITHUB_TOKEN",
    checkAuthentication,
  },
  modes: {
    plan: { denied_tools: ["write", "shell"] },
    // No user is asked: actions that need a permission are denied.
    ...{ ask: {}, auto: { trust_all_tools: true } },
    replaces: ["trust_all_tools", "allowed_tools", "denied_tools"],
    trusted: { trust_project: true },
  },
  readConfig: readCopilotConfig,
  redirect: copilotRedirect,
  stateFolders: { COPILOT_HOME: "copilot" },
  create: (settings, config) =>
    forkPerTurnAdapter<CopilotState>(settings, {
      start: (target) => createCopilotState(target, config.autopilot),
      mintSessionId: () => settings.createId(),
      // `copilot` prints its session id only in its last line of output.
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
