import {
  type AdapterKind,
  type CheckupFacts,
  defineAdapter,
  forkPerTurnAdapter,
  type SignIn,
} from "@switchyard/adapter-kit";
import { buildTurn } from "./build-turn.ts";
import { readOpencodeConfig } from "./opencode-config.ts";
import { OpencodeState } from "./opencode-state.ts";
import { finishTurn, parseLine } from "./parse-line.ts";

/** Variables with which the models of the usual providers are reached. */
const CREDENTIALS = [
  "OPENCODE_API_KEY",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENROUTER_API_KEY",
] as const;

/** Where the command keeps what it was given at its own sign-in, on Linux. */
const SIGN_IN_FILE = ".local/share/opencode/auth.json";

/** Whether one of the user's own providers wants a key does not show. */
async function isSignedIn(facts: CheckupFacts): Promise<SignIn> {
  const key = CREDENTIALS.find(facts.has);
  if (key !== undefined) return { state: "yes", by: key };
  return (await facts.homeHas(SIGN_IN_FILE)) ? { state: "yes", by: `~/${SIGN_IN_FILE}` } : { state: "unknown" };
}

/**
 * Drives the command `opencode run`: a process for every turn, continued by the id of its session. It reports the
 * tokens of every step. Tools are permitted by `allowed_tools` and `denied_tools`, handed over by its environment;
 * without these it may read only, and `trust_all_tools` permits everything. agent-adapter: OpenCode.
 */
export const opencode: AdapterKind = defineAdapter({
  kind: "opencode",
  defaultCommand: "opencode",
  capabilities: {
    usage: "incremental",
    resume: "id",
    permissions: "lists of tools, by default those that read; what is not in them is denied",
    mcp: true,
  },
  credentials: CREDENTIALS,
  checkup: {
    install: "npm install --global opencode-ai",
    signIn: "run `opencode auth login`, or set the key of a provider, ANTHROPIC_API_KEY for instance",
    isSignedIn,
  },
  modes: {
    // Without settings it may read and plan, and whatever else it tries is denied.
    ...{ plan: {}, ask: {}, auto: { trust_all_tools: true } },
    replaces: ["trust_all_tools", "allowed_tools", "denied_tools"],
  },
  readConfig: readOpencodeConfig,
  create: (settings, config) =>
    forkPerTurnAdapter(settings, {
      readsMcpFile: false,
      start: (target, { resumeSessionId: sessionId = "", mcpServers = {} }) =>
        new OpencodeState(target, { sessionId, mcpServers }),
      buildTurn: (request) => buildTurn(config, request),
      sessionNotFound: /^(?:(?:Error|NotFoundError|UnknownError): )?Session not found\b/u,
      parseLine,
      finish: finishTurn,
    }),
});
