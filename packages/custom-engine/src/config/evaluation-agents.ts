/** An agent that is built into the evaluation tool skill-up. */
export interface EvaluationAgent {
  /** Name of the engine in Switchyard. `undefined`: the command is run as a custom engine. */
  readonly engine?: string | undefined;
  /** Creates the engine configuration. */
  readonly configure: (settings: EvaluationAgentSettings) => EvaluationAgentConfiguration;
}

/** Settings for one agent, from an evaluation file of skill-up. */
export interface EvaluationAgentSettings {
  /** Name of the engine in the evaluation file. */
  readonly name: string;
  /** Fields of `engine.model`. A field is `undefined` if it is not set. */
  readonly model: {
    readonly provider?: string | undefined;
    readonly name?: string | undefined;
    readonly baseUrl?: string | undefined;
  };
  /** `engine.kwargs`. */
  readonly kwargs: Readonly<Record<string, string>>;
  /** Whether the agent runs in a container. */
  readonly isContained: boolean;
}

/** Engine configuration of an agent. */
export interface EvaluationAgentConfiguration {
  /** Configuration that opens the engine. */
  readonly spec: Readonly<Record<string, unknown>>;
  /**
   * Names of the settings that this agent supports: `base_url`, and keys of `kwargs`. Other settings in the evaluation
   * file have no effect.
   */
  readonly heeded: readonly string[];
}

/** Template variable of custom engines: the user's message. */
const PROMPT = `\${prompt}`;

const CLAUDE: EvaluationAgent = {
  engine: "claude-code",
  configure({ model: { provider = "anthropic", name, baseUrl } }) {
    const adapter = {
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      ...(provider === "anthropic" ? {} : { api_key_env: keyVariable(provider) }),
    };
    return {
      spec: { name: "claude-code", ...modelOf(name), ...adapterOf(adapter) },
      heeded: ["base_url", "bypass_sandbox"],
    };
  },
};

const CODEX: EvaluationAgent = {
  engine: "codex",
  configure({ model, kwargs, isContained }) {
    // In a container, the agent needs no sandbox, because the container isolates it.
    const isFree = isContained || kwargs["bypass_sandbox"] === "true";
    const { provider = "openai", name, baseUrl } = model;
    const adapter = {
      sandbox: isFree ? "danger-full-access" : "workspace-write",
      ...(baseUrl === undefined ? {} : { base_url: baseUrl, api_key_env: keyVariable(provider) }),
    };
    return { spec: { name: "codex", ...modelOf(name), adapter }, heeded: ["base_url", "bypass_sandbox"] };
  },
};

/** Providers whose API key the adapter of OpenCode passes on. */
const OPENCODE_PROVIDERS: readonly string[] = ["anthropic", "openai", "gemini", "google", "openrouter", "opencode"];

const OPENCODE: EvaluationAgent = {
  engine: "opencode",
  configure({ model: { provider, name, baseUrl } }) {
    const prefix = provider ?? (baseUrl === undefined ? undefined : "openai");
    const qualified = name === undefined || prefix === undefined ? name : `${prefix}/${name}`;
    const isKnown = provider === undefined || OPENCODE_PROVIDERS.includes(provider);
    const adapter = {
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      ...(isKnown ? {} : { api_key_env: keyVariable(provider) }),
    };
    return { spec: { name: "opencode", ...modelOf(qualified), ...adapterOf(adapter) }, heeded: ["base_url"] };
  },
};

const QODER: EvaluationAgent = {
  configure({ name, model, kwargs }) {
    const [command, token] =
      kwargs["edition"] === "cn"
        ? ["qodercn", "QODERCN_PERSONAL_ACCESS_TOKEN"]
        : ["qodercli", "QODER_PERSONAL_ACCESS_TOKEN"];
    const args = ["-p", PROMPT, ...(model.name === undefined ? [] : ["--model", model.name])];
    const env = { [token]: reference(token) };
    return { spec: customEngine({ name, model, command, args, env }), heeded: ["edition", "bypass_sandbox"] };
  },
};

const QWEN: EvaluationAgent = {
  configure({ name, model }) {
    const { provider = "openai", baseUrl } = model;
    const args = ["--yolo", "-p", PROMPT, ...(model.name === undefined ? [] : ["--model", model.name])];
    const env = {
      OPENAI_API_KEY: reference(keyVariable(provider)),
      OPENAI_BASE_URL: baseUrl ?? reference("OPENAI_BASE_URL"),
      OPENAI_MODEL: model.name ?? reference("OPENAI_MODEL"),
      DASHSCOPE_API_KEY: reference("DASHSCOPE_API_KEY"),
    };
    return { spec: customEngine({ name, model, command: "qwen", args, env }), heeded: ["base_url", "bypass_sandbox"] };
  },
};

/** Agents that are built into the evaluation tool skill-up, by the names that its evaluation files use. */
export const EVALUATION_AGENTS: ReadonlyMap<string, EvaluationAgent> = new Map([
  ["claude_code", CLAUDE],
  ["claude-code", CLAUDE],
  ["codex", CODEX],
  ["opencode", OPENCODE],
  ["qodercli", QODER],
  ["qoder", QODER],
  ["qoder-cli", QODER],
  ["qwen_code", QWEN],
  ["qwen-code", QWEN],
  ["qwen", QWEN],
]);

interface CustomParts extends Pick<EvaluationAgentSettings, "name" | "model"> {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function customEngine({ name, model, command, args, env }: CustomParts): Readonly<Record<string, unknown>> {
  const custom = { transport: "local", response_format: "text", local: { command, args }, env };
  // The variables contain the address of the model's API.
  const { baseUrl: _, ...fields } = model;
  return { name, ...(Object.keys(fields).length === 0 ? {} : { model: fields }), custom };
}

function adapterOf(adapter: Readonly<Record<string, string>>): { adapter?: Readonly<Record<string, string>> } {
  return Object.keys(adapter).length === 0 ? {} : { adapter };
}

function modelOf(name: string | undefined): { model?: { name: string } } {
  return name === undefined ? {} : { model: { name } };
}

/** Returns the name of the variable with the API key of a provider. */
function keyVariable(provider: string): string {
  return `${provider.replace(/[^A-Za-z0-9]+/gu, "_").toUpperCase()}_API_KEY`;
}

/** Refers to a variable. An unset variable becomes an empty one. The agents treat both the same. */
function reference(name: string): string {
  return `\${${name}:-}`;
}
