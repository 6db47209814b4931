import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { DONE, ENGINE_NAME, failureOf, resultOf, type TransportBench, userMessages } from "./transport-bench.ts";

/** An engine result in which every field is set. */
const COMPLETE = {
  ...{ engine: "reviewer", model: "acme/large-1", exit_code: 0, duration_ms: 45_200, turns: 3 },
  ...{
    input_tokens: 1200,
    output_tokens: 450,
    final_message: "Review completed. Found one issue.",
    stderr: "a warning",
  },
  transcript: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Review the current diff." },
    { role: "assistant", content: "", tool_calls: [{ id: "1", name: "shell", arguments: '{"command":"git diff"}' }] },
    { role: "tool", content: "-a\n+b\n", tool_result: { call_id: "1", status: "ok", content: "-a\n+b\n" } },
    { role: "assistant", content: "Found one issue in config parsing." },
  ],
  artifacts: { workspace_diff: "diff --git a/report.md b/report.md", logs: "agent log text" },
};

/** Results with an invalid exit code. */
const BROKEN_CODES: readonly string[] = ["1.5", '"0"', "null", "true", "[]", "{}", "1e400", "-1e999"];

/** Fields of a wrong type, each in an otherwise valid result. */
const WRONG_FIELDS: Readonly<Record<string, unknown>> = {
  final_message: 7,
  engine: ["reviewer"],
  model: 4,
  duration_ms: "45 s",
  turns: "three",
  input_tokens: "1200",
  output_tokens: {},
  stderr: ["a", "b"],
  transcript: "user: hello",
  artifacts: ["report.md"],
};

/** Conformance cases for parsing a response. */
export const resultCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/result-minimal",
    requirement: ["custom-session-result-14", "custom-session-result-8"],
    title: "Accepts an exit code and a final message as a complete result",
    async check(bench) {
      const { exit_code, final_message } = resultOf(await bench.run({ does: { answer: DONE } }));
      assert.deepEqual({ exit_code, final_message }, DONE);
    },
  },
  {
    id: "transport/result-whole",
    requirement: ["custom-selection-6", "custom-session-result-8", "custom-transcript-3"],
    title: "Passes every field of the engine's response to the host unchanged",
    async check(bench) {
      const model = { provider: "other", name: "small" };
      assert.deepEqual(resultOf(await bench.run({ model, does: { answer: COMPLETE } })), COMPLETE);
    },
  },
  {
    id: "transport/result-defaults",
    requirement: ["custom-session-result-5", "custom-session-result-6", "custom-session-result-7"],
    title: "Fills in engine, model, duration and turns if the engine omits them",
    async check(bench) {
      const result = resultOf(await bench.run({ model: { provider: "acme", name: "large-1" } }));
      assert.deepEqual([result.engine, result.model, result.turns], [ENGINE_NAME, "acme/large-1", 1]);
      assert.ok(Number.isInteger(result.duration_ms) && (result.duration_ms ?? -1) >= 0, `${result.duration_ms} ms`);
      const none = resultOf(await bench.run({ does: { answer: { ...DONE, engine: "", duration_ms: 0 } } }));
      assert.deepEqual([none.engine, none.model, none.duration_ms], [ENGINE_NAME, undefined, 0]);
    },
  },
  {
    id: "transport/result-no-code",
    requirement: ["custom-session-result-1", "custom-errors-1"],
    title: "Rejects a result without an exit code, but accepts exit code 0",
    async check(bench) {
      const run = await bench.run({ does: { answer: { final_message: "done" } } });
      assert.match(failureOf(run, "result.invalid").message, /exit_code/);
      assert.notEqual(run.result?.exit_code, 0);
      assert.equal(resultOf(await bench.run({ does: { answer: DONE } })).exit_code, 0);
    },
  },
  {
    id: "transport/result-odd-code",
    requirement: ["custom-session-result-2", "custom-errors-1"],
    title: "Rejects a result whose exit code is not an integer",
    async check(bench) {
      for (const code of BROKEN_CODES) {
        const run = await bench.run({ does: { text: `{"exit_code": ${code}, "final_message": "done"}` } });
        assert.match(failureOf(run, "result.invalid").message, /exit_code/, code);
      }
    },
  },
  {
    id: "transport/result-wrong-types",
    requirement: ["custom-session-result-9", "custom-errors-1"],
    title: "Rejects a result with a field of a wrong type, and names the field",
    async check(bench) {
      for (const [field, value] of Object.entries(WRONG_FIELDS)) {
        const run = await bench.run({ does: { answer: { ...DONE, [field]: value } } });
        assert.ok(failureOf(run, "result.invalid").message.includes(field), field);
      }
    },
  },
  {
    id: "transport/result-message-empty",
    requirement: "custom-session-result-3",
    title: "Accepts an empty final message",
    async check(bench) {
      assert.equal(resultOf(await bench.run({ does: { answer: { ...DONE, final_message: "" } } })).final_message, "");
    },
  },
  {
    id: "transport/result-message-missing",
    requirement: "custom-session-result-4",
    title:
      "Uses the last assistant message if the final message is missing, and rejects the result if it is missing too",
    async check(bench) {
      const transcript = [
        ...userMessages("one", "two", "three", "the end"),
        { role: "tool", content: "nobody's words" },
      ];
      const run = await bench.run({ does: { answer: { exit_code: 0, transcript } } });
      assert.equal(resultOf(run).final_message, "the end");
      for (const answer of [{ exit_code: 0 }, { exit_code: 0, transcript: userMessages("only a question") }]) {
        assert.match(failureOf(await bench.run({ does: { answer } }), "result.invalid").message, /final_message/);
      }
    },
  },
  {
    id: "transport/result-unknown-fields",
    requirement: "custom-session-result-10",
    title: "Ignores unknown fields, whatever their names and values",
    async check(bench) {
      const text = `{"colour": [1, {"a": null}], "__proto__": {"exit_code": 9}, "constructor": 1,
        "exit_code": 0, "final_message": "done", "exitCode": 5}`;
      const result = resultOf(await bench.run({ does: { text } }));
      assert.deepEqual([result.exit_code, result.final_message], [0, "done"]);
      assert.equal(Object.hasOwn(result, "colour"), false);
    },
  },
  {
    id: "transport/result-null-fields",
    requirement: "custom-session-result-8",
    title: "Treats an optional field that is null as absent",
    async check(bench) {
      const allNull = { stderr: null, model: null, turns: null, transcript: null, artifacts: null };
      const result = resultOf(await bench.run({ does: { answer: { ...DONE, ...allNull } } }));
      assert.deepEqual([result.model, result.artifacts, result.turns], [undefined, undefined, 1]);
      assert.deepEqual(result.transcript?.length, 2);
      const file = { name: "a.txt", content: "a", path: null, url: null, content_base64: null, content_type: null };
      const artifacts = { files: [file], generated_files: null, logs: null, workspace_diff: null };
      const transcript = [{ role: "assistant", content: "done", turn: null, tool_calls: null, timestamp: null }];
      const inner = resultOf(await bench.run({ does: { answer: { ...DONE, artifacts, transcript } } }));
      assert.deepEqual(inner.artifacts, { files: [{ name: "a.txt", content: "a" }] });
      assert.deepEqual(inner.transcript, [{ role: "assistant", content: "done" }]);
    },
  },
  {
    id: "transport/result-no-json",
    requirement: ["custom-session-result-11", "custom-errors-1"],
    title: "Rejects a response that is not JSON",
    async check(bench) {
      const json = JSON.stringify(DONE);
      for (const text of [
        "Done.",
        `${json}\n${json}`,
        `Here it is:\n${json}`,
        json.slice(0, -1),
        `\`\`\`\n${json}\n\`\`\``,
      ]) {
        failureOf(await bench.run({ does: { text } }), "result.malformed");
      }
    },
  },
  {
    id: "transport/result-no-object",
    requirement: ["custom-session-result-11", "custom-errors-1"],
    title: "Rejects a response that is not a JSON object",
    async check(bench) {
      for (const answer of [[DONE], "done", 0, null, true]) {
        failureOf(await bench.run({ does: { answer } }), "result.invalid");
      }
    },
  },
  {
    id: "transport/result-empty",
    requirement: ["custom-session-result-12", "custom-errors-1"],
    title: "Rejects an empty or blank response",
    async check(bench) {
      for (const text of ["", " \r\n\t"]) failureOf(await bench.run({ does: { text } }), "result.missing");
    },
  },
  {
    id: "transport/result-deep",
    requirement: "custom-session-result-13",
    title: "Rejects a response that is nested too deeply at any point",
    async check(bench) {
      const lists = "[".repeat(200_000) + "]".repeat(200_000);
      const maps = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
      for (const text of [lists, maps, `{"exit_code":0,"final_message":"","unknown":${lists}}`]) {
        failureOf(await bench.run({ does: { text } }), "result.invalid", "result.malformed");
      }
      const brackets = "[{".repeat(100_000);
      assert.equal(
        resultOf(await bench.run({ does: { answer: { exit_code: 0, final_message: brackets } } })).exit_code,
        0,
      );
    },
  },
  {
    id: "transport/result-crowded",
    requirement: ["custom-session-result-9", "custom-result-bounds-6"],
    title: "Reports a response with hundreds of thousands of invalid entries as one short error",
    async check(bench) {
      const text = `{"exit_code":0,"final_message":"","transcript":[${"{},".repeat(600_000)}{}]}`;
      const run = await bench.run({ does: { text } });
      assert.ok(
        failureOf(run, "result.invalid").message.length < 2_000,
        "the error message is as long as the response",
      );
    },
  },
  {
    id: "transport/result-bytes",
    requirement: ["custom-session-result-11", "custom-errors-1"],
    title: "Ignores a byte order mark, and replaces only the invalid bytes of a text",
    async check(bench) {
      const json = Buffer.from(JSON.stringify({ exit_code: 0, final_message: "caf\u00e9" }));
      const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json]);
      assert.equal(
        resultOf(await bench.run({ does: { base64: marked.toString("base64") } })).final_message,
        "caf\u00e9",
      );
      const latin = Buffer.concat([json.subarray(0, -4), Buffer.from([0xe9, 0x22, 0x7d])]);
      const run = await bench.run({ does: { base64: latin.toString("base64") } });
      assert.equal(resultOf(run).final_message, "caf\ufffd");
      failureOf(await bench.run({ does: { base64: Buffer.from([0xff, 0xfe, 0, 1]).toString("base64") } }), "result.");
    },
  },
  {
    id: "transport/result-pieces",
    requirement: ["custom-selection-6", "custom-session-result-14"],
    title: "Accepts a response that arrives byte by byte",
    async check(bench) {
      const answer = { exit_code: 0, final_message: "caf\u00e9 \u{1f600} \u6f22\u5b57 \u2028 end" };
      const result = resultOf(await bench.run({ does: { answer, manner: "pieces" } }));
      assert.equal(result.final_message, answer.final_message);
    },
  },
  {
    id: "transport/result-large",
    requirement: ["custom-result-bounds-6", "custom-selection-6"],
    title: "Accepts a response of several megabytes",
    async check(bench) {
      const answer = { exit_code: 0, final_message: "<@fill@>" };
      const { final_message } = resultOf(await bench.run({ does: { answer, fill: 5_000_000 } }));
      assert.equal(final_message.length, 5_000_002);
      assert.ok(final_message.startsWith("<x") && final_message.endsWith("x>"));
    },
  },
  {
    id: "transport/result-claims-failure",
    requirement: ["custom-errors-3", "custom-errors-4", "custom-local-14"],
    title: "Returns a result that reports a failure unchanged, and does not reject the run",
    async check(bench) {
      const answer = { exit_code: 5, final_message: "I gave up.", stderr: "no such branch" };
      const { exit_code, final_message, stderr } = resultOf(await bench.run({ does: { answer } }));
      assert.deepEqual({ exit_code, final_message, stderr }, answer);
    },
  },
];

/** Conformance cases for the conversation and the cost in a result. */
export const transcriptCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/transcript-missing",
    requirement: ["custom-transcript-2", "custom-transcript-4"],
    title: "Replaces a missing or empty transcript with the input and the final message",
    async check(bench) {
      const messages = userMessages("one", "two", "three");
      for (const transcript of [undefined, []]) {
        const answer = { ...DONE, ...(transcript === undefined ? {} : { transcript }) };
        const result = resultOf(await bench.run({ does: { answer } }, { input: { messages } }));
        assert.deepEqual(result.transcript, [...messages, { role: "assistant", content: "done" }]);
      }
    },
  },
  {
    id: "transport/transcript-kept",
    requirement: ["custom-transcript-1", "custom-transcript-3"],
    title: "Preserves order and roles of a transcript, even if they are unusual",
    async check(bench) {
      const transcript = ["tool", "assistant", "assistant", "system", "user"].map((role) => ({ role, content: role }));
      const result = resultOf(await bench.run({ does: { answer: { ...DONE, transcript } } }));
      assert.deepEqual(result.transcript, transcript);
    },
  },
  {
    id: "transport/transcript-roles",
    requirement: ["custom-transcript-1", "custom-session-result-9"],
    title: "Rejects a result whose transcript has an unknown role or an entry that is not a message",
    async check(bench) {
      for (const entry of [{ role: "robot", content: "" }, { role: "user" }, "hello", { role: "user", content: [] }]) {
        const run = await bench.run({ does: { answer: { ...DONE, transcript: [entry] } } });
        assert.match(failureOf(run, "result.invalid").message, /transcript/);
      }
    },
  },
  {
    id: "transport/transcript-turns",
    requirement: "custom-session-result-8",
    title: "Counts the turns of the transcript if none are reported",
    async check(bench) {
      const transcript = userMessages("a", "b", "c", "d");
      const counted = resultOf(await bench.run({ does: { answer: { ...DONE, transcript } } }));
      assert.equal(counted.turns, 2);
      const numbered = transcript.map((message, index) => ({ ...message, turn: index + 3 }));
      assert.equal(resultOf(await bench.run({ does: { answer: { ...DONE, transcript: numbered } } })).turns, 6);
    },
  },
  {
    id: "transport/usage",
    requirement: "custom-session-result-8",
    title: "Reports the tokens that the engine used to the host",
    async check(bench) {
      const answer = { ...DONE, input_tokens: 1200, output_tokens: 450, model: "acme/large-1" };
      const { host } = await bench.run({ does: { answer } });
      const { inputTokens, outputTokens, totalTokens } = host?.totalUsage ?? {};
      assert.deepEqual([inputTokens, outputTokens, totalTokens], [1200, 450, 1650]);
      assert.equal((await bench.run()).host?.usages.length, 0);
    },
  },
];

const TEXT = { response_format: "text" } as const;

/** Conformance cases for engines that respond with a text. */
export const textCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/text-message",
    requirement: ["custom-http-10", "custom-local-12", "custom-transcript-2"],
    title: "Uses a text response, without surrounding white space, as the final message of a minimal result",
    async check(bench) {
      const result = resultOf(await bench.run({ custom: TEXT, does: { text: "\n  Review:\n  fine. \u00e9\n\n" } }));
      const { exit_code, final_message, engine, transcript } = result;
      assert.deepEqual([exit_code, final_message, engine], [0, "Review:\n  fine. \u00e9", ENGINE_NAME]);
      assert.deepEqual(transcript, userMessages("Say hello.", "Review:\n  fine. \u00e9"));
    },
  },
  {
    id: "transport/text-of-json",
    requirement: ["custom-config-8", "custom-http-10"],
    title: "Never parses a text response as a result, whatever it looks like",
    async check(bench) {
      const text = JSON.stringify({ exit_code: 7, final_message: "no", artifacts: { logs: "no" } });
      const result = resultOf(await bench.run({ custom: TEXT, does: { text } }));
      assert.deepEqual([result.exit_code, result.final_message, result.artifacts], [0, text, undefined]);
    },
  },
  {
    id: "transport/text-empty",
    requirement: ["custom-session-result-3", "custom-http-10"],
    title: "Accepts an empty text as an empty final message",
    async check(bench) {
      assert.equal(resultOf(await bench.run({ custom: TEXT, does: { text: "" } })).final_message, "");
    },
  },
  {
    id: "transport/text-failed",
    requirement: ["custom-local-12", "custom-errors-4", "custom-http-7"],
    title: "Treats a failed call as a failure, and keeps its text",
    async check(bench) {
      const run = await bench.run({ custom: TEXT, does: { text: "half of it", fails: true } });
      assert.notEqual(run.result?.exit_code, 0);
      assert.equal(run.result?.final_message, "half of it");
    },
  },
];
