// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations contain variable references.
import assert from "node:assert/strict";
import type { SessionMessage } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import {
  failureOf,
  inputOf,
  resultOf,
  runSubject,
  type TransportBench,
  toInput,
  userMessages,
} from "./transport-bench.ts";

/** A conversation with every role. */
const CONVERSATION: readonly SessionMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "First read the current directory." },
  { role: "assistant", content: "Done." },
  { role: "tool", content: "a.txt\nb.txt\n" },
  { role: "user", content: "Now generate a report based on what you just learned." },
];

/** Texts with a special meaning for templates, shells, JSON or headers. */
const ODD_TEXTS: readonly string[] = [
  "${api_key} ${CONTRACT_TOKEN} ${nobody?} ${workspace} $${prompt}",
  "'single' \"double\" `date` $(touch planted) ; touch planted # \\",
  "one\r\ntwo\ttabs\u0000nul\u2028line",
  "ünï 😀 \uFEFF 漢字 \uD83D\uDE00",
  '{"exit_code": 0} --boundary\r\nContent-Disposition: form-data; name="files"\r\n\r\n',
  "  blanks at both ends  ",
  "",
];

/** Conformance cases for the engine's view of the session. */
export const inputCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/input-message",
    requirement: ["custom-session-input-1", "custom-session-input-2", "custom-session-input-10", "custom-templates-1"],
    title: "Passes a single prompt as one user message, with the workspace and without unknown values",
    async check(bench) {
      const run = await bench.run();
      resultOf(run);
      const workspace = run.subject?.environment.workingDirectory;
      assert.deepEqual(inputOf(run), { workspace, messages: userMessages("Say hello.") });
    },
  },
  {
    id: "transport/input-conversation",
    requirement: ["custom-session-input-1", "custom-session-input-3", "custom-session-input-10"],
    title: "Passes a conversation completely, in one call, in order and with its roles",
    async check(bench) {
      const run = await bench.run({}, { input: { messages: [...CONVERSATION] } });
      assert.deepEqual(inputOf(run).messages, CONVERSATION);
    },
  },
  {
    id: "transport/input-all-fields",
    requirement: ["custom-session-input-5", "custom-session-input-6", "custom-templates-8"],
    title: "Passes every field of the session under its wire name",
    async check(bench) {
      const input = {
        ...{ case_id: "multi-turn-report", variant: "with_skill", model: "openai/gpt-4.1", max_turns: 12 },
        ...{ timeout_seconds: 300, messages: userMessages("one", "two", "three") },
      };
      const custom = { kwargs: { profile: "strict", max_files: "20" } };
      const run = await bench.run({ custom }, { input });
      const workspace = run.subject?.environment.workingDirectory;
      assert.deepEqual(inputOf(run), { ...input, workspace, kwargs: custom.kwargs });
    },
  },
  {
    id: "transport/input-left-out",
    requirement: "custom-session-input-5",
    title: "Omits empty fields",
    async check(bench) {
      const empty = { case_id: "", variant: "", model: "", max_turns: 0, timeout_seconds: 0, kwargs: {} };
      const run = await bench.run({ custom: { kwargs: {}, env: {} } }, { input: { ...empty, session_id: "" } });
      assert.deepEqual(Object.keys(inputOf(run)).sort(), ["messages", "workspace"]);
    },
  },
  {
    id: "transport/input-workspace",
    requirement: ["custom-session-input-5", "custom-templates-1"],
    title: "Passes the workspace of the session, whatever the session input contains",
    async check(bench) {
      const run = await bench.run({}, { input: { workspace: "/somewhere/else" } });
      assert.equal(inputOf(run).workspace, run.subject?.environment.workingDirectory);
    },
  },
  {
    id: "transport/input-odd-texts",
    requirement: ["custom-session-input-4", "custom-templates-13", "custom-env-refs-6"],
    title: "Passes messages character by character: nothing in them is a reference, a command or a boundary",
    async check(bench) {
      const messages = [...userMessages(...ODD_TEXTS), ...userMessages("The last word.")];
      const setting = { apiKey: "not for messages", variables: { CONTRACT_TOKEN: "not for messages" } };
      const run = await bench.run(setting, { input: { messages } });
      assert.deepEqual(inputOf(run).messages, messages);
      assert.equal(await run.subject?.environment.exists("planted"), false);
    },
  },
  {
    id: "transport/input-large",
    requirement: ["custom-session-input-1", "custom-session-input-10"],
    title: "Passes a conversation of several megabytes completely",
    async check(bench) {
      const messages = userMessages("é\n".repeat(600_000), "ok", "y".repeat(1_000_000));
      assert.deepEqual(inputOf(await bench.run({}, { input: { messages } })).messages, messages);
    },
  },
  {
    id: "transport/input-model",
    requirement: ["custom-templates-6", "custom-selection-5"],
    title: "Passes the configured model as provider/name, unless the session names another one",
    async check(bench) {
      const model = { provider: "acme", name: "large-1" };
      const kwargs = { m: "${model}|${model_provider}|${model_name}" };
      const configured = inputOf(await bench.run({ model, custom: { kwargs } }));
      assert.deepEqual([configured.model, configured.kwargs], ["acme/large-1", { m: "acme/large-1|acme|large-1" }]);
      const named = inputOf(await bench.run({ model, custom: { kwargs } }, { input: { model: "other/x/2" } }));
      assert.deepEqual([named.model, named.kwargs], ["other/x/2", { m: "other/x/2|other|x/2" }]);
      const none = inputOf(await bench.run({ custom: { kwargs } }));
      assert.deepEqual([none.model, none.kwargs], [undefined, { m: "||" }]);
    },
  },
  {
    id: "transport/input-timeout",
    requirement: ["custom-timeout-1", "custom-timeout-2", "custom-session-input-7", "custom-config-9"],
    title: "Passes the effective time limit as timeout_seconds: the smaller of the engine's and the session's",
    async check(bench) {
      const kwargs = { t: "${timeout_seconds}" };
      const seen = async (ofEngine: number | undefined, ofCase: number | undefined): Promise<unknown[]> => {
        const custom = { kwargs, ...(ofEngine === undefined ? {} : { timeout_seconds: ofEngine }) };
        const input = inputOf(await bench.run({ custom }, { input: { timeout_seconds: ofCase } }));
        return [input.timeout_seconds, input.kwargs?.["t"]];
      };
      assert.deepEqual(await seen(70, 500), [70, "70"]);
      assert.deepEqual(await seen(700, 500), [500, "500"]);
      assert.deepEqual(await seen(undefined, 500), [500, "500"]);
      assert.deepEqual(await seen(70, undefined), [70, "70"]);
      assert.deepEqual(await seen(undefined, undefined), [undefined, ""]);
    },
  },
  {
    id: "transport/input-no-user",
    requirement: "custom-session-input-1",
    title: "Rejects a session without a user message before the engine receives anything",
    async check(bench) {
      for (const messages of [[], [{ role: "system", content: "Be brief." } as const]]) {
        const run = await bench.run({}, { input: { messages } });
        failureOf(run, "input.invalid");
        assert.equal(run.received.length, 0);
      }
    },
  },
  {
    id: "transport/sessions-apart",
    requirement: ["custom-session-input-8", "custom-http-15"],
    title: "Never mixes the messages of sessions of one engine, whether concurrent or consecutive",
    async check(bench) {
      const subject = await bench.open({ does: { echoes: "input" } });
      const other = await bench.open({ does: { echoes: "input" } });
      const promptOf = (text: string): { input: { messages: SessionMessage[] } } => ({
        input: { messages: userMessages(text) },
      });
      const [left, right] = await Promise.all([
        runSubject(subject, promptOf("left")),
        runSubject(other, promptOf("right")),
      ]);
      const later = await runSubject(subject, promptOf("later"));
      const inputs = [left, right, later].map((run) => toInput({ ...emptyCall, payload: resultOf(run).final_message }));
      assert.deepEqual(
        inputs.map(({ messages }) => messages),
        [userMessages("left"), userMessages("right"), userMessages("later")],
      );
    },
  },
];

const emptyCall = { surroundings: "" };

/** Conformance cases for engine parameters. */
export const parameterCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/kwargs-texts",
    requirement: ["custom-config-10", "custom-session-input-5"],
    title: "Passes parameters as text, even if they look like another type",
    async check(bench) {
      const kwargs = {
        max_files: "20",
        flag: "true",
        nothing: "null",
        list: "[1]",
        odd: "a\nb 'c' \"d\" é",
        empty: "",
      };
      assert.deepEqual(inputOf(await bench.run({ custom: { kwargs } })).kwargs, kwargs);
    },
  },
  {
    id: "transport/kwargs-rendered",
    requirement: ["custom-templates-8", "custom-templates-9", "custom-templates-10", "custom-templates-2"],
    title: "Renders parameters for each session, from the session and from one another",
    async check(bench) {
      const kwargs = {
        ...{ label: "${case_id}/${variant}/${max_turns}", greeting: "<${prompt}>", again: "${kwargs.label}!" },
        ...{ missing: "[${kwargs.nobody}]", place: "${workspace}" },
      };
      const subject = await bench.open({ custom: { kwargs } });
      for (const [case_id, max_turns] of [["first", 3] as const, ["second", 4] as const]) {
        const run = await runSubject(subject, { input: { case_id, variant: "with_skill", max_turns } });
        const label = `${case_id}/with_skill/${max_turns}`;
        assert.deepEqual(inputOf(run).kwargs, {
          ...{ label, greeting: "<Say hello.>", again: `${label}!`, missing: "[]" },
          place: subject.environment.workingDirectory,
        });
      }
    },
  },
  {
    id: "transport/kwargs-prompt-of-several",
    requirement: "custom-templates-2",
    title: "Leaves the variable prompt empty for a conversation of several turns",
    async check(bench) {
      const run = await bench.run(
        { custom: { kwargs: { greeting: "<${prompt}>" } } },
        { input: { messages: userMessages("one", "two", "three") } },
      );
      assert.deepEqual(inputOf(run).kwargs, { greeting: "<>" });
    },
  },
  {
    id: "transport/kwargs-json",
    requirement: "custom-templates-3",
    title: "Provides the conversation as JSON text in messages_json",
    async check(bench) {
      const messages = userMessages('quo"te\n', "é", "last");
      const run = await bench.run({ custom: { kwargs: { all: "${messages_json}" } } }, { input: { messages } });
      assert.deepEqual(JSON.parse(inputOf(run).kwargs?.["all"] ?? ""), messages);
    },
  },
  {
    id: "transport/kwargs-of-session",
    requirement: ["custom-templates-13", "custom-session-input-5"],
    title: "Prefers parameters of the session over configured ones, and resolves no references in them",
    async check(bench) {
      const run = await bench.run(
        { custom: { kwargs: { profile: "default", kept: "yes" } }, variables: { CONTRACT_WORD: "no" } },
        { input: { kwargs: { profile: "${case_id}${CONTRACT_WORD}" }, case_id: "c" } },
      );
      assert.deepEqual(inputOf(run).kwargs, { profile: "${case_id}${CONTRACT_WORD}", kept: "yes" });
    },
  },
  {
    id: "transport/kwargs-environment",
    requirement: ["custom-env-refs-2", "custom-env-refs-5", "custom-env-refs-8", "custom-env-refs-9"],
    title: "Replaces references to environment variables with their values or, if unset, with their defaults",
    async check(bench) {
      const kwargs = {
        ...{ set: "${CONTRACT_WORD}", both: "${CONTRACT_WORD:-no}", required: "${CONTRACT_WORD?it is needed}" },
        ...{ default: "${CONTRACT_NOT:-a?b:-c}", blank: "${CONTRACT_BLANK:-default}", nothing: "<${CONTRACT_NOT:-}>" },
        ...{ open: "${CONTRACT_WORD", brace: "${CONTRACT_NOT:-{a}}" },
      };
      const variables = { CONTRACT_WORD: "w o r d", CONTRACT_BLANK: "" };
      assert.deepEqual(inputOf(await bench.run({ custom: { kwargs }, variables })).kwargs, {
        ...{ set: "w o r d", both: "w o r d", required: "w o r d", default: "a?b:-c", blank: "default" },
        ...{ nothing: "<>", open: "${CONTRACT_WORD", brace: "{a}" },
      });
    },
  },
  {
    id: "transport/kwargs-resolved-once",
    requirement: "custom-env-refs-11",
    title: "Resolves no references in inserted values",
    async check(bench) {
      const variables = { CONTRACT_WORD: "${CONTRACT_OTHER} ${case_id}", CONTRACT_OTHER: "no" };
      const run = await bench.run({ custom: { kwargs: { text: "${CONTRACT_WORD}" } }, variables });
      assert.deepEqual(inputOf(run).kwargs, { text: "${CONTRACT_OTHER} ${case_id}" });
    },
  },
  {
    id: "transport/kwargs-precedence",
    requirement: "custom-env-refs-10",
    title: "Prefers built-in variables over environment variables of the same name",
    async check(bench) {
      const variables = { case_id: "of the environment", prompt: "of the environment" };
      const custom = { kwargs: { label: "${case_id}:${prompt}" } };
      const run = await bench.run({ custom, variables }, { input: { case_id: "of the run" } });
      assert.deepEqual(inputOf(run).kwargs, { label: "of the run:Say hello." });
    },
  },
  {
    id: "transport/kwargs-cycle",
    requirement: "custom-templates-12",
    title: "Rejects circular or too deeply nested parameter references before the engine receives anything",
    async check(bench) {
      const circle = await bench.run({ custom: { kwargs: { a: "${kwargs.b}", b: "x${kwargs.a}" } } });
      failureOf(circle, "template.cycle", "config.invalid_engine");
      const steps = Array.from({ length: 13 }, (_, index) => [`k${index}`, `\${kwargs.k${index + 1}}`]);
      const deep = await bench.run({ custom: { kwargs: { ...Object.fromEntries(steps), k13: "end" } } });
      failureOf(deep, "template.cycle", "config.invalid_engine");
      assert.deepEqual([circle.received.length, deep.received.length], [0, 0]);
      const fine = { ...Object.fromEntries(steps.slice(4)), k13: "end" };
      assert.equal(inputOf(await bench.run({ custom: { kwargs: fine } })).kwargs?.["k4"], "end");
    },
  },
];
