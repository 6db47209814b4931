import {
  type AdapterKind,
  type Authentication,
  type CheckupFacts,
  defineAdapter,
  forkPerTurnAdapter,
} from "@switchyard/adapter-kit";
import { buildTurn } from "./build-turn.ts";
import { readOpencodeConfig } from "./opencode-config.ts";
import { OpencodeState } from "./opencode-state.ts";
import { finishTurn, parseLine } from "./parse-line.ts";
import { redirect } from "./redirect.ts";

/** Environment variables that authenticate with common model providers. */
const CREDENTIALS = [
  "OPENCODE_API_KEY",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENROUTER_API_KEY",
] as const;

/** File that stores the credentials of `opencode` on Linux. */
const SIGN_IN_FILE = ".local/share/opencode/auth.json";

/** Returns the authentication state. Whether a custom provider needs a key cannot be determined. */
async function checkAuthentication(facts: CheckupFacts): Promise<Authentication> {
  const key = CREDENTIALS.find(facts.has);
  if (key !== undefined) return { state: "yes", by: key };
  return (await facts.homeHas(SIGN_IN_FILE)) ? { state: "yes", by: `~/${SIGN_IN_FILE}` } : { state: "unknown" };
}

/**
 * Drives the `opencode run` command with one process per turn, which resumes the session by its id. The command reports
 * usage per step. `allowed_tools` and `denied_tools` are passed in environment variables. By default the agent can only
 * read; `trust_all_tools` allows everything. See agent-adapter: OpenCode.
 */
export const opencode: AdapterKind = defineAdapter({
  kind: "opencode",
  defaultCommand: "opencode",
  capabilities: {
    usage: "incremental",
    resume: "id",
    permissions: "lists of tools (default: tools that only read); calls of other tools are denied",
    mcp: true,
  },
  credentials: CREDENTIALS,
  checkup: {
    install: "npm install --global opencode-ai",
    login: "run `opencode auth login`, or set the API key of a provider, such as ANTHROPIC_API_KEY",
    checkAuthentication,
  },
  modes: {
    // By default the agent may read and plan; everything else is denied.
    ...{ plan: {}, ask: {}, auto: { trust_all_tools: true } },
    replaces: ["trust_all_tools", "allowed_tools", "denied_tools"],
    trusted: { trust_project: true },
  },
  readConfig: readOpencodeConfig,
  redirect,
  stateFolders: { XDG_DATA_HOME: "data", XDG_STATE_HOME: "state", XDG_CONFIG_HOME: "config" },
  configuredVariables: ({ apiKeyEnv }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv]),
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
