import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseEvalSuite } from "./parse-eval-suite.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "eval-"));
  await mkdir(join(folder, "project"));
  await writeFile(join(folder, "engine.yaml"), "engine: {}");
  await writeFile(join(folder, "skill.md"), "# Skill");
});

afterAll(() => rm(folder, { recursive: true }));

const parse = (text: string) => parseEvalSuite(text, join(folder, "eval.yaml"));

async function problemsOf(text: string): Promise<string[]> {
  const error: unknown = await parse(text).catch((thrown: unknown) => thrown);
  if (!EngineError.is(error, "config.invalid_eval")) throw error;
  return String(error.details["problems"]).split("\n");
}

test("a file has cases, engines, variants and limits, with paths relative to it", async () => {
  const suite = await parse(`
name: my-suite
workspace: ./project
engines: [agent, ./engine.yaml, { id: mine, name: review-cli, custom: { transport: local } }, { id: filed, file: engine.yaml }]
variants:
  with_skill: { files: { SKILL.md: "text", skills/a.md: { from: skill.md } }, kwargs: { profile: strict } }
  without_skill:
iterations: 3
retries: 1
max_turns: 10
budget: { cost_usd: 5, total_tokens: 1000000, minutes: 0.5 }
judge: { model: anthropic/m, base_url: "http://127.0.0.1:1/v1" }
cases:
  - id: fix-bug
    prompt: Fix it
    timeout_seconds: 60
    assert:
      - contains: done
      - matches: "^ok"
      - command: [node, --test]
      - command: npm test
        timeout_seconds: 5
      - json_schema: { type: object }
      - judge: The answer names the root cause.
  - id: talk
    messages: [{ role: user, content: Hi }, { role: assistant, content: "" }]
`);
  expect(suite).toMatchObject({
    ...{ name: "my-suite", iterations: 3, concurrency: 1, retries: 1 },
    budget: { costUsd: 5, totalTokens: 1_000_000, minutes: 0.5 },
  });
  expect(suite.engines).toEqual([
    { spec: "agent", field: "engines[0]" },
    { spec: join(folder, "engine.yaml"), field: "engines[1]" },
    { id: "mine", spec: { name: "review-cli", custom: { transport: "local" } }, field: "engines[2]" },
    { id: "filed", spec: join(folder, "engine.yaml"), field: "engines[3]" },
  ]);
  expect(suite.variants).toEqual([
    {
      name: "with_skill",
      files: [
        { path: "SKILL.md", source: { content: "text" } },
        { path: "skills/a.md", source: { from: join(folder, "skill.md") } },
      ],
      kwargs: { profile: "strict" },
    },
    { name: "without_skill", files: [], kwargs: {} },
  ]);
  const [fix, talk] = suite.cases;
  expect(fix).toMatchObject({
    ...{ id: "fix-bug", workspace: join(folder, "project"), timeoutSeconds: 60, maxTurns: 10 },
    messages: [{ role: "user", content: "Fix it" }],
  });
  expect(fix?.assertions.map(({ kind }) => kind)).toEqual([
    ...["contains", "matches", "command", "command", "json_schema", "rubric"],
  ]);
  expect(fix?.assertions[3]).toMatchObject({ command: "npm test", timeoutSeconds: 5 });
  expect(talk).toMatchObject({ timeoutSeconds: 600, assertions: [] });
});

test("a case has turns, rules, scripts, rubrics and tags", async () => {
  const suite = await parse(`
engines: [agent]
judge: { models: [a/one, { model: b/two, base_url: "http://127.0.0.1:1/v1" }], decision: mean, tie: error }
simulated_user: { model: a/one }
report: { formats: [json] }
cases:
  - id: talk
    tags: [smoke, slow]
    turns:
      - content: Generate a token.
        post_condition: { must_contain_all: [token] }
        capture: [{ variable: token, pattern: "token=(\\\\w+)" }]
      - { content: "Use {{token}}.", timeout_seconds: 5 }
    assert:
      - turn_response_contains: { turn: 2, contains_all: [used] }
      - not: { tool_called: { name: shell } }
      - { script: ./skill.md, timeout_seconds: 5 }
      - judge: It is polite.
      - rubric:
          criteria: [It greets., { text: It is short., weight: 2, points: 5 }]
          pass_threshold: 0.5
          judge: { model: c/three }
          evidence: [final_message, transcript]
  - { id: open, tags: slow, prompt: Hi, scenario: You want a pony. }
`);
  const [talk, open] = suite.cases;
  const models = [{ model: "a/one" }, { model: "b/two", baseUrl: "http://127.0.0.1:1/v1" }];
  expect(suite).toMatchObject({ reportFormats: ["json"], simulatedUser: { model: "a/one", timeoutSeconds: 30 } });
  expect(talk).toMatchObject({
    messages: [],
    tags: ["smoke", "slow"],
    turns: [{ condition: { all: ["token"] }, captures: [{ name: "token" }] }, { timeoutSeconds: 5 }],
  });
  expect(talk?.turns?.[0]?.captures[0]?.extract("token=abc")).toBe("abc");
  expect(talk?.assertions).toMatchObject([
    { kind: "rule", rule: { name: "turn_response_contains", turn: 2, all: ["used"] } },
    { kind: "rule", rule: { name: "tool_called", tool: "shell" }, isForbidden: true, label: "not tool_called" },
    { kind: "script", path: join(folder, "skill.md"), name: "./skill.md", timeoutSeconds: 5 },
    { kind: "rubric", label: "judge", threshold: 1, panel: { models, decision: "mean", tie: "error" } },
    {
      kind: "rubric",
      threshold: 0.5,
      criteria: [
        { text: "It greets.", weight: 1, points: 1 },
        { text: "It is short.", weight: 2, points: 5 },
      ],
      panel: { models: [{ model: "c/three" }], decision: "majority", tie: "fail" },
      context: { finalMessage: 60_000, transcript: 60_000, workspaceDiff: 0 },
    },
  ]);
  expect(open).toMatchObject({ tags: ["slow"], isOpenEnded: true, scenario: "You want a pony." });
});

test("wrong judges, turns and rubrics are reported with their fields", async () => {
  const problems = await problemsOf(`
engines: [agent]
judge: { model: a/one, models: [b/two, b/two], decision: unanimous }
report: { formats: [pdf] }
cases:
  - { id: a, prompt: x, turns: [{ content: y }] }
  - { id: b, turns: [{ respond: Say yes. }, { content: "" }] }
  - { id: c, prompt: x, scenario: You want a pony. }
  - id: d
    prompt: x
    assert:
      - rubric: { criteria: [], pass_threshold: 2, evidence: [everything] }
      - rubric: { criteria: [{ text: good, weight: 0, points: 0.5 }], judge: { models: [] } }
      - script: ./gone.sh
      - not: { weather: fine }
      - tool_called: { nme: shell }
`);
  expect(problems).toEqual([
    "judge.models does not go with model",
    "judge.models[1] is listed before; each judge needs another model",
    "judge.decision must be one of majority, mean",
    "cases[0] has both prompt and turns; keep one",
    "cases[1].turns[1].content is required, or respond",
    "cases[1].turns has a turn with respond (0), which requires scenario",
    "cases[2].scenario needs simulated_user with a model in the evaluation file",
    "cases[3].assert[0].rubric.criteria must not be empty",
    "cases[3].assert[0].rubric.evidence[0] must be one of final_message, workspace_diff, transcript",
    "cases[3].assert[0].rubric.pass_threshold must be a number from 0 to 1",
    "cases[3].assert[1].rubric.criteria[0].weight must be a number above 0",
    "cases[3].assert[1].rubric.criteria[0].points must be a whole number from 1 on",
    "cases[3].assert[1].rubric.judge.models must name at least one model",
    expect.stringMatching(/^cases\[3\]\.assert\[2\]\.script names .*gone\.sh, which does not exist$/u),
    expect.stringMatching(/^cases\[3\]\.assert\[3\]\.not\.weather is not a known rule/u),
    expect.stringMatching(/^cases\[3\]\.assert\[4\]\.tool_called\.nme is not a known setting/u),
    "cases[3].assert[4].tool_called.name is required",
    "report.formats[0] must be one of json, junit, html",
  ]);
});

test("all problems are reported together, each with the path of its field", async () => {
  const problems = await problemsOf(`
nme: typo
workspace: ./nowhere
iterations: 0
retries: "1"
variants: { v: { fils: {}, kwargs: { n: 20 } } }
engines: [7, ./missing.yaml, { id: twin, name: a }, { id: twin, name: b }]
budget: { cost_usd: -1 }
cases:
  - id: a
    prompt: x
    messages: []
    files: { ../up.txt: "x", /etc/x: "x", ok.txt: { from: gone.txt } }
    assert: [{ contains: a, matches: b }, { matches: "(?=x)" }, { json_schema: { type: nonsense } }, { file_exists: ../x }, contains, { judge: good }, { command: [] }, { contains: a, timeout_seconds: 3 }]
  - id: a
    messages: [{ role: robot, content: x }]
  - prompt: 7
  - id: b
`);
  const messages = [
    /^nme is not a known setting; known are name, /,
    /^workspace names \.\/nowhere, which does not exist$/,
    /^iterations must be a whole number from 1 on$/,
    /^retries must be a whole number from 0 on$/,
    /^variants\.v\.fils is not a known setting/,
    /^variants\.v\.kwargs\.n must be a text; put it in quotes$/,
    /^engines\[0\] must be the name of an engine/,
    /^engines\[1\] names .*missing\.yaml, which does not exist$/,
    /^engines\[3\]\.id is the same as engines\[2\]\.id/,
    /^budget\.cost_usd must be a number above 0$/,
    /^cases\[0\] has both prompt and messages; keep one$/,
    /^cases\[0\]\.messages must have at least one message with the role user$/,
    /^cases\[0\]\.files\.\.\.\/up\.txt must be a path inside the workspace/,
    /^cases\[0\]\.files\.\/etc\/x must be a path inside the workspace/,
    /^cases\[0\]\.files\.ok\.txt\.from names gone\.txt, which does not exist$/,
    /^cases\[0\]\.assert\[0\] must have exactly one of contains, /,
    /^cases\[0\]\.assert\[1\]\.matches is not an RE2 pattern: /,
    /^cases\[0\]\.assert\[2\]\.json_schema is not a usable JSON Schema: /,
    /^cases\[0\]\.assert\[3\]\.file_exists must be a path inside the workspace/,
    /^cases\[0\]\.assert\[4\] must be a map with one of /,
    /^cases\[0\]\.assert\[6\]\.command must not be empty$/,
    /^cases\[0\]\.assert\[7\]\.timeout_seconds goes with command, script, judge, rubric only$/,
    /^cases\[1\]\.id is the same as cases\[0\]\.id/,
    /^cases\[1\]\.messages\[0\]\.role must be one of system, user, assistant, tool$/,
    /^cases\[2\]\.id is required$/,
    /^cases\[2\]\.prompt must be a text; put it in quotes$/,
    /^cases\[3\] needs prompt, messages or turns$/,
    /^judge is required: the case a has an assertion that a model decides$/,
  ];
  for (const expected of messages) expect(problems).toContainEqual(expect.stringMatching(expected));
  expect(problems).toHaveLength(messages.length);
});

test.each([
  ["", /^the file is empty$/],
  ["[1]", /^the file must be a map$/],
  ["name: x", /^cases is required: a list with at least one case$/],
  ["cases: []", /^cases is required/],
  ["cases: [\nname: [", /^line \d+, column \d+: /],
  ["a: 1\na: 2", /^line 2, column 1: /],
  [
    `${["a: &a [x, x, x, x, x, x, x, x, x, x]", ..."bcdefgh"].map((line, index) => (index === 0 ? line : `${line}: &${line} [${`*${"abcdefgh"[index - 1]}, `.repeat(9)}]`)).join("\n")}`,
    /^the file cannot be read: /,
  ],
])("%j is not an evaluation, and the error says why", async (text, expected) => {
  expect(await problemsOf(text)).toContainEqual(expect.stringMatching(expected));
});

test("matching a pattern takes time linear in the text", async () => {
  const suite = await parse("cases: [{ id: a, prompt: x, assert: [{ matches: '(a+)+$' }] }]");
  const [assertion] = suite.cases[0]?.assertions ?? [];
  expect(assertion?.kind === "matches" && assertion.test(`${"a".repeat(50_000)}!`)).toBe(false);
});
