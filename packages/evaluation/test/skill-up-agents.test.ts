import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type EvalSuite, openEvalModel, parseEvalSuite } from "../src/index.ts";
import { makeFolder } from "./evaluate.ts";

/** Reads an evaluation file of skill-up with one case file for each entry of `cases`. */
async function parse(yaml: string, cases: readonly string[] = ["input: { prompt: Go }"]): Promise<EvalSuite> {
  const folder = await makeFolder();
  await mkdir(join(folder, "evals"));
  await writeFile(join(folder, "SKILL.md"), "---\nname: acme\n---\n");
  await Promise.all(cases.map((text, index) => writeFile(join(folder, `evals/${index}.yaml`), text)));
  const files = cases.map((_, index) => `evals/${index}.yaml`).join(", ");
  return parseEvalSuite(
    `schema_version: v1alpha1\n${yaml}\ncases: { files: [${files}] }`,
    join(folder, "evals/e.yaml"),
  );
}

const URL = "http://127.0.0.1:9";

describe("the engine of an evaluation file of skill-up", () => {
  test.each([
    [`claude_code, model: { provider: anthropic, name: m }`, { name: "claude-code", model: { name: "m" } }],
    [
      `claude_code, model: { provider: acme-ai, name: m, base_url: "${URL}" }, kwargs: { bypass_sandbox: true }`,
      { name: "claude-code", adapter: { base_url: URL, api_key_env: "ACME_AI_API_KEY" } },
    ],
    [
      `opencode, model: { provider: acme, name: org/m, base_url: "${URL}" }`,
      { model: { name: "acme/org/m" }, adapter: { base_url: URL, api_key_env: "ACME_API_KEY" } },
    ],
    [`opencode, model: { name: m, base_url: "${URL}" }`, { model: { name: "openai/m" }, adapter: { base_url: URL } }],
    [`opencode, model: { name: org/m }`, { model: { name: "org/m" } }],
    [`codex, model: { name: m }`, { name: "codex", adapter: { sandbox: "workspace-write" } }],
    [
      `codex, model: { provider: acme, name: m, base_url: "${URL}" }`,
      { model: { name: "m" }, adapter: { base_url: URL, api_key_env: "ACME_API_KEY" } },
    ],
    [`codex, kwargs: { bypass_sandbox: true }`, { adapter: { sandbox: "danger-full-access" } }],
    [
      `qodercli, model: { name: m }, kwargs: { edition: cn }`,
      { custom: { local: { command: "qodercn", args: expect.arrayContaining(["--model", "m"]) } } },
    ],
    [
      `qwen, model: { provider: acme, name: m, base_url: "${URL}" }`,
      { custom: { env: { OPENAI_API_KEY: `\${ACME_API_KEY:-}`, OPENAI_BASE_URL: URL, OPENAI_MODEL: "m" } } },
    ],
  ])("%s", async (engine, spec) => {
    const { engines, warnings } = await parse(`engine: { name: ${engine} }`);
    expect(engines[0]?.spec).toMatchObject(spec);
    expect(warnings).toEqual([]);
  });

  test("in a container has no sandbox of its own; settings without effect cause warnings", async () => {
    const contained = await parse("environment: { type: docker, image: a }\nengine: { name: codex }");
    expect(contained.engines[0]?.spec).toMatchObject({ adapter: { sandbox: "danger-full-access" } });
    const { warnings } = await parse(`engine: { name: qoder, model: { base_url: "${URL}" }, kwargs: { fast: yes } }`);
    expect(warnings).toEqual(["engine.kwargs.fast has no effect here.", "engine.model.base_url has no effect here."]);
  });

  test("must be able to hold a conversation if a case has several turns", async () => {
    const cases = [
      "input: { prompt: Go }",
      "id: talk\ninput: { turns: [{ role: user, content: One }, { role: user, content: Two }] }",
    ];
    const problems = "engine cannot hold a conversation, which the case talk requires";
    await expect(parse("engine: { name: qwen }", cases)).rejects.toMatchObject({ details: { problems } });
    expect((await parse("engine: { name: codex }", cases)).cases[1]?.turns).toHaveLength(2);
    expect((await parse("engine: { name: qwen }", cases.slice(0, 1))).cases).toHaveLength(1);
  });

  test("has no limit of model turns, unless it is a custom engine: max_turns counts turns of the user", async () => {
    const { cases } = await parse("engine: { name: codex }");
    expect(cases[0]).toMatchObject({ maxTurns: 10, limitsUserTurnsOnly: true });
    const custom = await parse("engine: { name: mine, custom: { transport: local, local: { command: a } } }");
    expect(custom.cases[0]).not.toHaveProperty("limitsUserTurnsOnly");
  });
});

test("the network of a container can be limited to hosts, which are checked before anything runs", async () => {
  const read = (rest: string): Promise<EvalSuite> => parse(`environment: { type: docker, image: a, ${rest} }`);
  const { environment } = await read("network_policy: allow_declared, allowed_egress: [a.example, '*.b.example:8443']");
  expect(environment).toMatchObject({ allowedHosts: ["a.example", "*.b.example:8443"] });
  expect((await read("network_policy: deny_all")).environment).toMatchObject({ hasNetwork: false });
  for (const [rest, problem] of [
    ["network_policy: allow_declared", "allowed_egress is required"],
    ["network_policy: allow_declared, allowed_egress: ['http://a']", "allowed_egress is not a list of hosts: `http:"],
    ["allowed_egress: [a.example]", "allowed_egress needs network_policy: allow_declared"],
  ] as const) {
    const details = { problems: expect.stringContaining(`environment.${problem}`) };
    await expect(read(rest)).rejects.toMatchObject({ details });
  }
});

describe("the judge of an evaluation file of skill-up", () => {
  const judge = "judge: { type: agent_judge, model: a/m, timeout_seconds: 9 }";

  test("may lack settings that each case adds", async () => {
    const { cases } = await parse(judge, [
      "input: { prompt: Go }\njudge: { type: agent_judge, criteria: [Good] }",
      "input: { prompt: Go }\njudge: { type: script, script_path: SKILL.md }",
    ]);
    expect(cases.map(({ assertions }) => assertions[0])).toMatchObject([
      { kind: "rubric", criteria: [{ text: "Good" }], panel: { models: [{ model: "a/m" }] } },
      { kind: "script", timeoutSeconds: 9 },
    ]);
  });

  test.each([
    ["{}", 65_536],
    ["{ generated_files: include, limits: { max_bytes: 100 } }", 100],
    ["{ generated_files: omit }", 0],
    ["{ profile: minimal }", 0],
    ["{ profile: minimal, generated_files: index }", 65_536],
  ])("with the context %s sees a list of at most %i characters of generated files", async (context, length) => {
    const one = `input: { prompt: Go }\njudge: { type: agent_judge, model: a/m, criteria: [c], context: ${context} }`;
    const { cases } = await parse("", [one]);
    expect(cases[0]?.assertions).toMatchObject([{ context: { generatedFiles: length } }]);
  });

  test("is reported with the case that inherits an incomplete judge", async () => {
    await expect(parse(judge)).rejects.toMatchObject({
      details: { problems: "evals/0.yaml: judge.criteria is required" },
    });
  });
});

test("turns that an evaluation file refers to must exist, and conditions and rules must have a text", async () => {
  const turns = "input: { turns: [{ role: user, content: a, post_condition: { on_fail: fail } }] }";
  const rules = [
    "{ turn_response_contains: { turn: 2, contains_all: [a] } }",
    "{ tool_not_called_in_turn: { turn: 3, name: a } }",
    "{ turn_response_contains: { turn: 1 } }",
    "{ turn_response_not_contains: { turn: 1 } }",
  ];
  const one = `${turns}\njudge: { type: rule_based, success: [${rules.join(", ")}] }`;
  const error = await parse("engine: { name: codex }", [one]).catch((thrown: unknown) => thrown);
  expect(Reflect.get(Object(error), "details").problems.replaceAll("evals/0.yaml: ", "").split("\n")).toEqual([
    "judge.success[2].turn_response_contains needs contains_all or contains_any",
    "judge.success[3].turn_response_not_contains.not_contains is required",
    "input.turns[0].post_condition needs must_contain_all, must_contain_any or must_not_contain",
    "judge has the rule turn_response_contains about turn 2, and the case has 1 turn",
    "judge has the rule tool_not_called_in_turn about turn 3, and the case has 1 turn",
  ]);
});

describe("the simulated user", () => {
  test("may be any service with the API of Anthropic", async () => {
    const sent: { url?: string | undefined; key?: unknown; model?: unknown }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        sent.push({ url: request.url, key: request.headers["x-api-key"], model: JSON.parse(body).model });
        response.setHeader("content-type", "application/json");
        const content = [{ type: "text", text: "two replicas" }];
        const usage = { input_tokens: 1, output_tokens: 1 };
        response.end(
          JSON.stringify({
            ...{ id: "m", type: "message", role: "assistant", model: "m", content, usage },
            stop_reason: "end_turn",
          }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const { simulatedUser } = await parse("user_simulator: { provider: acme, protocol: anthropic, model: m/x }");
    const choice = simulatedUser ?? { model: "" };
    const ask = await openEvalModel(choice, { ACME_API_KEY: "k", ACME_BASE_URL: url });
    const answer = await ask({ instructions: "Play.", question: "How many?" }, AbortSignal.timeout(10_000));
    expect(answer.text).toBe("two replicas");
    expect(sent).toMatchObject([{ key: "k", model: "m/x" }]);
    await expect(openEvalModel(choice, {})).rejects.toThrow("No API key was found for acme.");
    await expect(openEvalModel(choice, { ACME_API_KEY: "k" })).rejects.toThrow("No base URL is known for acme.");
    await expect(openEvalModel({ model: "m" }, {})).rejects.toThrow("m is not a model reference.");
  });
});
