import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LoadedEngineConfig } from "../index.ts";
import { engineSettingsOf, loadEngineConfig } from "../index.ts";

const LOCAL = { transport: "local", local: { command: "agent" } };
const HTTP = { transport: "http", http: { url: "https://agent.example.com/run" } };

function load(custom: unknown, env: Record<string, string> = {}): LoadedEngineConfig {
  return loadEngineConfig({ engine: { name: "mine", custom } }, { env, builtIn: ["agent"] });
}

/** The messages about a configuration, one per line. Empty if it is valid. */
function problemsOf(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (!EngineError.is(error, "config.invalid_engine")) throw error;
    return String(error.details["problems"]).split("\n");
  }
}

function local(fields: Record<string, unknown>, custom: Record<string, unknown> = {}): unknown {
  return { ...LOCAL, ...custom, local: { command: "agent", ...fields } };
}

function http(fields: Record<string, unknown>, custom: Record<string, unknown> = {}): unknown {
  return { ...HTTP, ...custom, http: { url: "https://agent.example.com/run", ...fields } };
}

describe("an evaluation file", () => {
  const evaluation = { schema_version: "v1alpha1", environment: { type: "none" }, cases: { files: ["a.yaml"] } };

  test("returns its engine, with a warning that names the ignored fields", () => {
    const engine = {
      name: "mine",
      version: "2",
      entry: "./agent",
      kwargs: { fast: "true" },
      custom: { ...LOCAL, conversation_mode: "stateful" },
    };
    const loaded = loadEngineConfig({ ...evaluation, engine }, { env: {} });
    expect(loaded).toMatchObject({ name: "mine", custom: { conversationMode: "stateful" } });
    expect(loaded.warnings).toEqual([
      "The file is an evaluation; only its engine is used. Ignored: environment, cases, engine.version, engine.entry, engine.kwargs.",
    ]);
  });

  test.each([
    ["claude_code", "claude-code", {}],
    ["claude-code", "claude-code", {}],
    ["codex", "codex", { adapter: { sandbox: "workspace-write" } }],
    ["opencode", "opencode", { model: { name: "acme/m" }, adapter: { api_key_env: "ACME_API_KEY" } }],
  ])("gives the agent %s its name here, and reads no custom block for it", (theirs, ours, more) => {
    const provider = theirs === "opencode" ? "acme" : "";
    const engine = { name: theirs, model: { name: "m", provider }, version: "2", custom: { transport: 7 } };
    const { document, warning } = engineSettingsOf({ ...evaluation, engine });
    expect(document).toEqual({ engine: { name: ours, model: { name: "m" }, ...more } });
    expect(warning).toContain("engine.version, engine.custom.");
    // In other fields, a name is used unchanged.
    expect(engineSettingsOf({ engine: { name: theirs } }).document).toEqual({ engine: { name: theirs } });
  });

  test.each(["qwen_code", "qodercli"])("runs the agent %s as a command", (name) => {
    const loaded = loadEngineConfig({ ...evaluation, engine: { name, model: { name: "m" } } }, { env: {} });
    expect(loaded.name).toBe(name);
    expect(JSON.stringify(loaded.custom)).toContain('"text":"--model"');
  });

  test("is refused for the faults of its engine", () => {
    const engine = { name: "mine", custom: { transport: "pigeon" } };
    expect(problemsOf(() => loadEngineConfig({ ...evaluation, engine }, { env: {} }))).toEqual([
      'engine.custom.transport must be "local" or "http" (got "pigeon")',
    ]);
    expect(problemsOf(() => loadEngineConfig({ ...evaluation, engine: "mine" }, { env: {} }))).not.toEqual([]);
  });
});

describe("which engine runs", () => {
  test("a built-in name never reads the custom block, even if it is invalid [custom-selection-1]", () => {
    for (const custom of [{ transport: 7 }, "nonsense", { local: { args: ["${MISSING}"] } }]) {
      const loaded = loadEngineConfig({ engine: { name: "agent", custom } }, { env: {}, builtIn: ["agent"] });
      expect(loaded).toMatchObject({ name: "agent", warnings: [expect.stringContaining("engine.custom is not read")] });
      expect(loaded.custom).toBeUndefined();
    }
  });

  test("another name without the block is refused, with its name [custom-selection-2] [custom-selection-3]", () => {
    expect(load(LOCAL).custom).toMatchObject({ name: "mine", transport: { transport: "local" } });
    const missing = () => loadEngineConfig({ engine: { name: "my-agent" } }, { env: {} });
    expect(problemsOf(missing)).toEqual(['unsupported agent "my-agent": missing engine.custom']);
  });

  test("the old field for an entry point is not supported [custom-selection-4]", () => {
    const old = () => loadEngineConfig({ engine: { name: "x", entry: "run.sh", custom: LOCAL } }, { env: {} });
    expect(problemsOf(old)).toEqual(["engine.entry is not supported; describe the engine in engine.custom"]);
  });

  test("a name is needed; another one may win over it, and references wait for it [custom-config-1] [custom-env-refs-7]", () => {
    expect(problemsOf(() => loadEngineConfig({ engine: { custom: LOCAL } }, { env: {} }))).toEqual([
      "engine.name is required",
    ]);
    const broken = { engine: { name: "mine", custom: local({ args: ["${MISSING}"] }) } };
    expect(loadEngineConfig(broken, { env: {}, name: "agent", builtIn: ["agent"] }).name).toBe("agent");
    expect(loadEngineConfig({ engine: { name: "agent", custom: LOCAL } }, { env: {}, name: "x" }).custom?.name).toBe(
      "x",
    );
  });
});

describe("the model", () => {
  test("is optional [custom-selection-5]", () => {
    expect(load(LOCAL).model).toBeUndefined();
  });

  test("resolves its address and parameters, which have no effect here [custom-env-refs-5] [custom-config-18]", () => {
    const model = { provider: "openai", name: "gpt", base_url: "${BASE}", params: { effort: "${EFFORT:-low}" } };
    const loaded = loadEngineConfig({ name: "x", model, custom: LOCAL }, { env: { BASE: "http://here" } });
    expect(loaded.model).toEqual({
      provider: "openai",
      name: "gpt",
      baseUrl: "http://here",
      params: { effort: "low" },
    });
    expect(loaded.warnings).toEqual([
      expect.stringContaining("engine.model.base_url has no effect"),
      expect.stringContaining("engine.model.params has no effect"),
    ]);
    const literal = loadEngineConfig({ name: "x", model: { name: "${BASE}" }, custom: LOCAL }, { env: {} });
    expect(literal.model?.name).toBe("${BASE}");
  });

  test("cannot use a variable that is not set [custom-env-refs-5]", () => {
    const model = { provider: "openai", name: "gpt", base_url: "${BASE}", params: { effort: "${EFFORT}" } };
    const load = () => loadEngineConfig({ name: "x", model, custom: LOCAL }, { env: {} });
    expect(load).toThrow(/engine\.model\.params\.effort: .*EFFORT/);
    expect(load).toThrow(/engine\.model\.base_url: .*BASE/);
  });
});

test.each<[string, unknown, string]>([
  ["no transport", { local: { command: "x" } }, "transport is required (local or http)"],
  ["another transport", { transport: "grpc" }, 'transport must be "local" or "http" (got "grpc")'],
  ["no command", { transport: "local" }, "local.command is required when transport is local"],
  ["an empty command", local({ command: " " }), "local.command is required when transport is local"],
  ["no address", { transport: "http" }, "http.url is required when transport is http"],
  ["another method", http({ method: "GET" }), 'http.method must be POST (got "GET")'],
  [
    "another format [custom-config-8]",
    { ...LOCAL, response_format: "xml" },
    'response_format must be one of: session_result, text (got "xml")',
  ],
  [
    "another mode",
    { ...LOCAL, conversation_mode: "chat" },
    'conversation_mode must be one of: batch, stateful (got "chat")',
  ],
  ["other effects", { ...LOCAL, effects: "none" }, 'effects must be one of: unsafe, idempotent, readonly (got "none")'],
  ["a negative timeout", { ...LOCAL, timeout_seconds: -1 }, "timeout_seconds must be non-negative"],
  ["half a second", { ...LOCAL, timeout_seconds: 0.5 }, "timeout_seconds must be a whole number (got 0.5)"],
  ["a number as parameter", { ...LOCAL, kwargs: { max: 20 } }, "kwargs.max must be a text (got 20)"],
  [
    "a parameter named like a variable [custom-config-11]",
    { ...LOCAL, kwargs: { case_id: "1" } },
    'kwargs key "case_id" collides with a built-in template variable; rename it',
  ],
  ["an unknown setting", { ...LOCAL, retries: 3 }, "retries is not a known setting"],
  ["an unknown setting of the carrier", local({ shell: true }), "local.shell is not a known setting"],
  ["arguments as one text", local({ args: "a b" }), "local.args must be a list (got a text)"],
  [
    "a stateful text",
    { ...LOCAL, conversation_mode: "stateful", response_format: "text" },
    "response_format must be session_result in a stateful conversation, whose session id it carries",
  ],
  ["a variable's name that is none", { ...LOCAL, env: { "a b": "c" } }, "env.a b is not the name of a variable"],
  [
    "a folder outside [custom-confinement-3]",
    local({ cwd: "../x" }),
    'local.cwd: path "../x" escapes the runtime workspace',
  ],
  [
    "an output outside",
    local({ output_file: "a/../../b" }),
    'local.output_file: path "a/../../b" escapes the runtime workspace',
  ],
  [
    "an address with a password",
    http({ url: "https://u:p@host/" }),
    "http.url: it contains credentials; put them into engine.custom.http.headers",
  ],
  ["an address of another kind", http({ url: "file:///etc/passwd" }), "http.url: it is not http(s)"],
  [
    "a header with a line break [custom-http-17]",
    http({ headers: { A: "x\r\nB: y" } }),
    "http.headers.A: it contains a line break or another control character",
  ],
  ["a header twice", http({ headers: { A: "x", a: "y" } }), "http.headers.a is there twice"],
  [
    "an absolute file [custom-http-files-1]",
    http({ files: [{ path: "/etc/passwd" }] }),
    'http.files[0].path: "/etc/passwd" must be relative to the workspace, with /',
  ],
  [
    "a file above [custom-http-files-1]",
    http({ files: [{ path: "a/../../b" }] }),
    'http.files[0].path: "a/../../b" must not contain ..',
  ],
  ["a file without a path", http({ files: [{ required: false }] }), "http.files[0].path is required"],
  [
    "a structure among others",
    http({ request_body: { a: "all: ${messages}" } }),
    "http.request_body.a: ${messages} must be the whole value; write ${messages_json} for its text",
  ],
  [
    "a structure as an argument",
    local({ args: ["${messages}"] }),
    "local.args[0]: ${messages} is a structure, for JSON bodies only; write ${messages_json} for its text",
  ],
  ["a reference without a name", local({ args: ["${}"] }), "local.args[0]: a reference without a name; write ${NAME}"],
])(
  "%s is refused [custom-config-2] [custom-config-3] [custom-config-5] [custom-config-6] [custom-config-7] [custom-config-9] [custom-config-10] [custom-config-11] [custom-confinement-3] [custom-http-17] [custom-http-files-1]",
  (_, custom, problem) => {
    expect(problemsOf(() => load(custom))).toEqual([`engine.custom.${problem}`]);
  },
);

test.each([
  ["nothing", undefined],
  ["a list", []],
  ["a text", "engine"],
  ["a file with other settings", { engine: { name: "agent" }, cases: [] }],
])("%s is not a valid configuration", (_, document) => {
  expect(problemsOf(() => loadEngineConfig(document, { env: {} }))).toHaveLength(1);
});

test("all errors are reported at once, each with its field [custom-config-16] [custom-config-17]", () => {
  const document = {
    engine: {
      custom: {
        transport: "local",
        surprise: 1,
        timeout_seconds: -1,
        kwargs: { a: 1, model: "x" },
        local: { args: ["${MISSING}", 5], cwd: ".." },
      },
    },
  };
  expect(problemsOf(() => loadEngineConfig(document, { env: {} })).sort()).toEqual([
    'engine.custom.kwargs key "model" collides with a built-in template variable; rename it',
    "engine.custom.kwargs.a must be a text (got 1)",
    "engine.custom.local.args[0]: environment variable MISSING is required but not set",
    "engine.custom.local.args[1] must be a text (got 5)",
    "engine.custom.local.command is required when transport is local",
    'engine.custom.local.cwd: path ".." escapes the runtime workspace',
    "engine.custom.surprise is not a known setting",
    "engine.custom.timeout_seconds must be non-negative",
    "engine.name is required",
  ]);
});

test("missing fields have the specified defaults [custom-config-4] [custom-config-8] [custom-config-12] [custom-config-13] [custom-config-14] [custom-config-15]", () => {
  const shared = {
    conversationMode: "batch",
    responseFormat: "session_result",
    effects: "unsafe",
    env: {},
    kwargs: {},
  };
  expect(load(LOCAL).custom).toEqual({
    ...{ name: "mine", model: undefined, ...shared },
    transport: {
      ...{ transport: "local", command: [{ kind: "literal", text: "agent" }], args: [] },
      ...{ cwd: undefined, inputFile: undefined, outputFile: undefined },
    },
  });
  const custom = load(http({ files: [{ path: "./a.txt" }], method: "post" })).custom;
  expect(custom).toMatchObject(shared);
  expect(custom?.transport).toEqual({
    ...{ transport: "http", url: [{ kind: "literal", text: "https://agent.example.com/run" }], headers: [] },
    files: [{ path: "a.txt", isRequired: true }],
  });
});

describe("references to the environment", () => {
  test.each<[string, string, string]>([
    ["${MISSING}", "[custom-env-refs-1]", "environment variable MISSING is required but not set"],
    ["${EMPTY}", "[custom-env-refs-1]", "environment variable EMPTY is required but not set"],
    ["${MISSING?set it first}", "[custom-env-refs-3]", "set it first"],
    ["${EMPTY? }", "[custom-env-refs-4]", "EMPTY is required"],
    ["${MISSING?}", "[custom-env-refs-4]", "MISSING is required"],
    ...["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"].map((name): [string, string, string] => [
      `\${${name}}`,
      "[custom-env-refs-1]",
      `environment variable ${name} is required but not set`,
    ]),
  ])("%s is told %s", (text, _, problem) => {
    expect(problemsOf(() => load(local({ args: [text] }), { EMPTY: "" }))).toEqual([
      `engine.custom.local.args[0]: ${problem}`,
    ]);
  });

  test("values are inserted, and not searched for references again [custom-env-refs-2] [custom-env-refs-11]", () => {
    const custom = load(local({ args: ["${A}-${B:-b}-${C:-}", "${A:-x}"] }), { A: "${api_key}" }).custom;
    expect(custom?.transport).toMatchObject({
      args: [[{ kind: "literal", text: "${api_key}-b-" }], [{ kind: "literal", text: "${api_key}" }]],
    });
  });

  test("built-in names are left for the run, and win over variables [custom-env-refs-10]", () => {
    const custom = load(local({ args: ["${workspace}/x", "${kwargs.a}"] }), { workspace: "/elsewhere" }).custom;
    expect(custom?.transport).toMatchObject({
      args: [
        [
          { kind: "reference", name: "workspace" },
          { kind: "literal", text: "/x" },
        ],
        [{ kind: "reference", name: "kwargs.a" }],
      ],
    });
  });

  test("the other transport's are not looked at [custom-env-refs-7]", () => {
    const both = { ...LOCAL, http: { url: "${MISSING}", headers: { A: "${MISSING}" } } };
    expect(load(both).custom?.transport.transport).toBe("local");
  });

  test("variables of settings may come from there", () => {
    const custom = load({ ...LOCAL, transport: "${HOW}", response_format: "${WHAT:-text}" }, { HOW: "local" }).custom;
    expect(custom).toMatchObject({ responseFormat: "text", transport: { transport: "local" } });
  });
});

describe("a value that others can read contains no secrets", () => {
  const fields: readonly [string, (text: string) => unknown][] = [
    ["local.command", (text) => local({ command: text })],
    ["local.args[0]", (text) => local({ args: [text] })],
    ["local.cwd", (text) => local({ cwd: text })],
    ["local.input_file", (text) => local({ input_file: text })],
    ["local.output_file", (text) => local({ output_file: text })],
    ["kwargs.a", (text) => local({}, { kwargs: { a: text } })],
    ["http.url", (text) => http({ url: `https://host/${text}` })],
  ];
  const env = { API_TOKEN: "harmless", HARMLESS: `sk-${"a1".repeat(12)}`, MY_SECRET_KEY: "x" };
  const refused = [
    "${api_key}",
    "${kwargs_json}",
    "${session_input_json}",
    "${kwargs.apiKey}",
    "${kwargs.my-token}",
    "${kwargs.db.password}",
    "${API_TOKEN}",
    "${MY_SECRET_KEY}",
    "${NICE:-sk-abcdefghij0123456789}",
    "${NICE:-ghp_abcdefghij0123456789abcd}",
    "${NICE:-AKIAIOSFODNN7ABCDEFG}",
    "${HARMLESS}",
    "sk-abcdefghij0123456789",
  ];
  test.each(fields)(
    "%s [custom-strict-1] [custom-strict-2] [custom-strict-3] [custom-strict-4] [custom-strict-5] [custom-strict-7] [custom-strict-8]",
    (field, make) => {
      for (const text of refused) {
        const problems = problemsOf(() => load(make(text), env));
        expect([
          text,
          problems.length > 0 && problems.every((problem) => problem.startsWith(`engine.custom.${field}`)),
        ]).toEqual([text, true]);
        expect(problems.join()).not.toContain(env.HARMLESS);
        expect(problems.join()).not.toContain("abcdefghij0123456789");
      }
    },
  );

  test.each(fields)("%s accepts harmless values [custom-strict-10]", (_, make) => {
    for (const text of ["${kwargs.keyboard}", "${NICE:-value}", "${TOKENIZER}", "${kwargs.monkey}", "plain"]) {
      expect(problemsOf(() => load(make(text), { TOKENIZER: "bpe" }))).toEqual([]);
    }
  });

  test("headers, bodies and the environment may contain secrets [custom-strict-9]", () => {
    const body = { key: "${api_key}", all: "${session_input}", token: "${API_TOKEN}" };
    expect(problemsOf(() => load(http({ headers: { A: "Bearer ${api_key}" }, request_body: body }), env))).toEqual([]);
    expect(problemsOf(() => load({ ...LOCAL, env: { A: "${api_key}", B: "${HARMLESS}" } }, env))).toEqual([]);
  });
});

test("any document at all is read or refused with sentences", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (custom, inner, model) => {
      const document = { engine: { name: "x", model, custom: { transport: "local", local: inner, http: custom } } };
      for (const problem of problemsOf(() => loadEngineConfig(document, { env: {} }))) expect(problem).not.toBe("");
      problemsOf(() => loadEngineConfig(custom, { env: {} }));
    }),
  );
});
