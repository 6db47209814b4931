import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { openConfiguredEngine } from "@switchyard/runner";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type EvalSuite,
  isEvalDocument,
  parseEvalSuite,
  type RunEvalOptions,
  runEval,
  withSuiteEnvironment,
} from "../src/index.ts";
import { makeFolder } from "./evaluate.ts";

const SKILL = join(import.meta.dirname, "skill-up");
const ENV = { PATH: process.env["PATH"], TEST_AGENT: join(SKILL, "agent.mjs") };

async function parse(name: string): Promise<EvalSuite> {
  const path = join(SKILL, "evals", name);
  return parseEvalSuite(await readFile(path, "utf8"), path);
}

async function evaluate(suite: EvalSuite, options: Partial<RunEvalOptions> & { env?: Record<string, string> } = {}) {
  const { env = {}, ...more } = options;
  const output = await makeFolder();
  const all = { ...ENV, ...env };
  const results = await runEval(suite, {
    openEngine: async (spec) => {
      const { name, engine } = await openConfiguredEngine({ engine: spec }, { env: all });
      return { name, engine };
    },
    environment: (root) => withSuiteEnvironment({ type: "local", root, env: ENV }, suite.environment, all),
    ...{ output, ...more },
  });
  return { results, output };
}

const EXPECTED: readonly (readonly [string, string, string?])[] = [
  ["hello", "PASS"],
  ["custom-stateful", "PASS"],
  ["write", "PASS"],
  ["fails", "ERROR", "The engine ended with exit code 3."],
  ["rubric", "PASS"],
  ["gate", "FAIL", 'expect.must_contain all of Bye: The final message does not contain "Bye".'],
  ["turnfail", "FAIL", 'Turn 1: The response does not contain "nope".'],
  ["turnskip", "PASS"],
  ["multi", "PASS"],
  ["git", "PASS"],
  ["unknown-variable", "ERROR", "case unknown-variable turn 2: it uses {{missing}}, which no earlier turn captured"],
  ["no-capture", "ERROR", "case no-capture turn 1: id=(\\d+) found no value for x in the response"],
  ["forbidden", "FAIL", "failure output_contains any of Hello, Ciao: The failure rule matches."],
  ["tools", "PASS"],
  ["golden", "PASS"],
];

describe("an evaluation of skill-up", () => {
  test("is run as that project does: gates, rules, scripts, rubrics and turns", async () => {
    const suite = await parse("eval.yaml");
    expect(suite).toMatchObject({ name: "skill-up", concurrency: 4, retries: 1, retryOn: ["timeout"] });
    const { results, output } = await evaluate(suite);
    const shown = results.trials.map(({ case_id, outcome, reason }) => ({ case_id, outcome, reason }));
    const expected = EXPECTED.map(([case_id, outcome, reason]) => ({
      ...{ case_id, outcome },
      reason: reason === undefined ? undefined : expect.stringContaining(reason),
    }));
    expect(shown).toEqual(expected);
    const trial = (id: string) => results.trials.find(({ case_id }) => case_id === id);
    expect(trial("gate")?.assertions.map(({ outcome }) => outcome)).toEqual(["FAIL", "SKIPPED"]);
    expect(trial("multi")?.assertions.map(({ judge, outcome }) => [judge, outcome])).toEqual([
      ...[["script", "PASS"]],
      ...[["rules", "PASS"]],
      ...[["rules", "PASS"]],
      ...[["semantic", "PASS"]],
    ]);
    expect(trial("rubric")?.assertions).toMatchObject([{ kind: "agent_judge", reason: "2 of 3 criteria are met." }]);
    expect(trial("write")?.assertions.at(-1)).toMatchObject({ kind: "script", reason: "ok: written 0" });
    expect(trial("turnskip")?.conversation?.map(({ status }) => status)).toEqual(["completed", "failed", "skipped"]);
    expect(trial("custom-stateful")?.conversation?.at(-1)).toMatchObject({ content: "Use abc token." });
    // Files are collected after failures too.
    const [half] = trial("fails")?.artifacts ?? [];
    expect(await readFile(join(output, half?.path ?? ""), "utf8")).toBe("x");
    const files = trial("write")?.artifacts.map(({ name }) => name);
    expect(files).toEqual(["note.md", "out/report.json"]);
  });

  test("a benchmark runs each case with and without the skill", async () => {
    const { results } = await evaluate(await parse("benchmark.yaml"));
    // A rule of this case is fulfilled only if the skill is installed.
    expect(results.trials.map(({ variant, outcome }) => [variant, outcome])).toEqual([
      ["with_skill", "PASS"],
      ["without_skill", "FAIL"],
    ]);
  });

  test("a judge with skills is an agent in a workspace of its own, also in the variant without the skill", async () => {
    const openModel = () => Promise.reject(new Error("A model cannot read skills."));
    const suite = await parse("judge-skills.yaml");
    const { results, output } = await evaluate(suite, { openModel });
    const source = "evals/fixtures/judge-skills/strict";
    for (const { outcome, assertions } of results.trials) {
      expect({ outcome, assertions }).toMatchObject({
        outcome: "PASS",
        assertions: [{ kind: "agent_judge", judge_skills: [{ name: "strict-judge", source }], score: 1 }],
      });
      expect(assertions[0]?.verdicts?.[0]?.criteria).toHaveLength(3);
    }
    expect(results.trials.map(({ variant }) => variant)).toEqual(["with_skill", "without_skill"]);
    // The workspaces of the judges are removed.
    expect(await readdir(join(output, "workspaces"))).toEqual([]);
  });

  test("an engine without sessions receives the conversation so far, and errors are retried", async () => {
    const suite = await parse("stateless.yaml");
    const flaky = join(await makeFolder(), "tried");
    const cases = suite.cases.map((one) =>
      one.id === "flaky" ? { ...one, messages: [{ role: "user" as const, content: `flaky ${flaky}` }] } : one,
    );
    const { results } = await evaluate({ ...suite, cases });
    expect(results.trials.map(({ outcome, reason }) => reason ?? outcome)).toEqual(["PASS", "PASS"]);
    expect(results.trials[1]?.earlier_attempts).toHaveLength(1);
  });

  test("an engine with sessions that returns no id cannot continue", async () => {
    const { results } = await evaluate(await parse("forgetful.yaml"));
    expect(results.trials[0]).toMatchObject({
      outcome: "ERROR",
      reason: expect.stringContaining(
        "case replayed turn 1: custom stateful engine returned no session_id; turn 2 cannot",
      ),
    });
  });

  test.each(["http.yaml", "http-batch.yaml"])("an HTTP service holds a conversation: %s", async (name) => {
    const inputs: { session_id?: string; messages: { content: string }[] }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const input = JSON.parse(body);
        inputs.push(input);
        const { content } = input.messages.at(-1);
        const message = content === "Generate." ? '{"tokens":["abc"]}' : content;
        response.end(JSON.stringify({ exit_code: 0, final_message: message, session_id: "one" }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { results } = await evaluate(await parse(name), { env: { TEST_ENDPOINT: `http://127.0.0.1:${port}` } });
    expect(results.trials.map(({ outcome, reason }) => reason ?? outcome)).toEqual(["PASS"]);
    const sent = inputs.map(({ session_id, messages }) => [session_id, messages.length]);
    expect(sent).toEqual(
      name === "http.yaml"
        ? [
            [undefined, 1],
            ["one", 1],
          ]
        : [
            [undefined, 1],
            [undefined, 3],
          ],
    );
  });

  test("every problem of the file and its cases is reported before anything runs", async () => {
    const error = await parse("broken.yaml").catch((thrown: unknown) => thrown);
    const { problems } = Reflect.get(Object(error), "details");
    expect(String(problems).split("\n")).toEqual([
      expect.stringContaining("surprise is not a known setting"),
      "schema_version must be v1alpha1",
      "environment.type is opensandbox, which is not supported; use docker or none",
      "mcp.servers[0].config_ref must name a file with tool_responses",
      "mcp.servers[1] needs endpoint, because its transport is http",
      "report.formats[0] must be one of json, junit, html",
      expect.stringContaining("cases/broken.yaml: expect.must_contian is not a known setting"),
      expect.stringContaining("judge.success[0].output_matches.all[0] is not an RE2 pattern"),
      expect.stringContaining("judge.success[1] must be a map with one of output_contains"),
      expect.stringContaining("judge.success[2].weather is not a known rule"),
      expect.stringContaining("mcp.servers[0].mode must be mocked in a case"),
      expect.stringContaining("input.turns[0].content is required, or respond"),
      expect.stringContaining("input.turns[2].capture[0] needs either pattern or jsonpath"),
      expect.stringContaining("requires user_simulator.scenario"),
      expect.stringContaining("cases.files[2] names evals/cases/none.yaml, which does not exist"),
      "cases.parallelism must be a whole number up to 256",
      "cases.retry_policy.retry_on[0] must be one of timeout, error",
      "cases.retry_policy.max_retries must be a whole number up to 10",
    ]);
  });

  test("an engine file is not an evaluation file", () => {
    expect(isEvalDocument({ engine: { name: "a" } })).toBe(false);
    expect(isEvalDocument({ schema_version: "v1alpha1", engine: { name: "a" } })).toBe(false);
    expect(isEvalDocument({ schema_version: "v1alpha1", engine: { name: "a" }, cases: {} })).toBe(true);
    expect(isEvalDocument({ engines: ["agent"], cases: [] })).toBe(true);
  });
});
