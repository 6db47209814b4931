// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations contain variable references.
import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import {
  API_KEY,
  assertNotExposed,
  type CaseSetting,
  ENGINE_NAME,
  failureOf,
  REDACTED,
  resultOf,
  type TransportBench,
  warningsOf,
} from "./transport-bench.ts";

/** Configuration of an engine that receives the API key. */
const KEYED: CaseSetting = { apiKey: API_KEY, credential: "${api_key}" };

function answering(final_message: string): CaseSetting["does"] {
  return { answer: { exit_code: 0, final_message } };
}

/** Forms in which programs print a secret. */
const FORMS: Readonly<Record<string, string>> = {
  "JSON text": JSON.stringify(API_KEY),
  "JSON text inside of JSON text": JSON.stringify(JSON.stringify({ key: API_KEY })),
  base64: Buffer.from(API_KEY).toString("base64"),
  "base64 after a user name": Buffer.from(`user:${API_KEY}`).toString("base64"),
  base64url: Buffer.from(API_KEY).toString("base64url"),
  hexadecimal: Buffer.from(API_KEY).toString("hex"),
  "part of an address": encodeURIComponent(API_KEY),
  "field of a form": new URLSearchParams({ key: API_KEY }).toString(),
};

/** Conformance cases that check that no output of an engine contains a secret. */
export const maskingCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/mask-final-message",
    requirement: ["custom-masking-1", "custom-masking-2"],
    title: "Masks the key in the final message and in stderr",
    async check(bench) {
      const answer = { exit_code: 0, final_message: `key: ${API_KEY}.`, stderr: `${API_KEY}${API_KEY}` };
      const run = await bench.run({ ...KEYED, does: { answer } });
      const { final_message, stderr } = resultOf(run);
      assert.deepEqual([final_message, stderr], [`key: ${REDACTED}.`, REDACTED + REDACTED]);
      assertNotExposed(run, API_KEY);
    },
  },
  {
    id: "transport/mask-not-filled",
    requirement: ["custom-session-result-5", "custom-session-result-6"],
    title: "Does not mask the default values of engine and model, even if environment variables contain them",
    async check(bench) {
      const custom = { env: { CONTRACT_MODEL: "${model}", CONTRACT_ENGINE: ENGINE_NAME } };
      const result = resultOf(await bench.run({ custom, model: { provider: "acme", name: "large-1" } }));
      assert.deepEqual([result.engine, result.model], [ENGINE_NAME, "acme/large-1"]);
    },
  },
  {
    id: "transport/mask-other-fields",
    requirement: ["custom-masking-4", "custom-masking-5"],
    title: "Masks the key in engine, model and everywhere in the transcript",
    async check(bench) {
      const toolCalls = [{ id: "1", name: "shell", arguments: JSON.stringify({ command: `curl -H '${API_KEY}'` }) }];
      const toolResult = { call_id: "1", status: "ok", content: API_KEY };
      const transcript = [
        { role: "user", content: `use ${API_KEY}` },
        { role: "assistant", content: "", tool_calls: toolCalls },
        { role: "tool", content: API_KEY, tool_result: toolResult },
      ];
      const answer = { exit_code: 0, final_message: "", engine: API_KEY, model: `acme/${API_KEY}`, transcript };
      const run = await bench.run({ ...KEYED, does: { answer } });
      const result = resultOf(run);
      assert.deepEqual([result.engine, result.model], [REDACTED, `acme/${REDACTED}`]);
      assert.deepEqual(
        result.transcript?.map(({ content }) => content),
        [`use ${REDACTED}`, "", REDACTED],
      );
      assertNotExposed(run, API_KEY, JSON.stringify(API_KEY).slice(1, -1));
    },
  },
  {
    id: "transport/mask-artifacts",
    requirement: ["custom-masking-5", "custom-artifacts-13"],
    title: "Masks the key in logs, in the diff and in the contents of artifacts",
    async check(bench) {
      const files = [{ name: "log.txt", content: `k=${API_KEY}`, content_type: "text/plain" }];
      const artifacts = { logs: API_KEY, workspace_diff: `+${API_KEY}`, files };
      const run = await bench.run({ ...KEYED, does: { answer: { exit_code: 0, final_message: "", artifacts } } });
      assert.deepEqual(resultOf(run).artifacts, {
        ...{ logs: REDACTED, workspace_diff: `+${REDACTED}` },
        files: [{ name: "log.txt", content: `k=${REDACTED}`, content_type: "text/plain" }],
      });
      assertNotExposed(run, API_KEY);
    },
  },
  {
    id: "transport/mask-unasked",
    requirement: ["custom-masking-3", "custom-masking-5"],
    title: "Masks a key of any length, whether or not the engine received it",
    async check(bench) {
      for (const apiKey of ["k7#q", API_KEY]) {
        const run = await bench.run({ apiKey, does: answering(`a ${apiKey} b`) });
        assert.equal(resultOf(run).final_message, `a ${REDACTED} b`);
        assertNotExposed(run, apiKey);
      }
    },
  },
  {
    id: "transport/mask-env",
    requirement: ["custom-masking-1", "custom-masking-3"],
    title: "Masks values of custom.env with eight or more characters, and leaves shorter ones as ordinary words",
    async check(bench) {
      const env = { CONTRACT_LONG: "12345678", CONTRACT_SHORT: "1234567", CONTRACT_REF: "${CONTRACT_TOKEN}" };
      const run = await bench.run({
        ...{ custom: { env }, variables: { CONTRACT_TOKEN: "from the environment" } },
        does: answering("[12345678] [1234567] [from the environment]"),
      });
      assert.equal(resultOf(run).final_message, `[${REDACTED}] [1234567] [${REDACTED}]`);
      assertNotExposed(run, "12345678", "from the environment");
    },
  },
  {
    id: "transport/mask-rendered-env",
    requirement: ["custom-masking-1", "custom-credentials-2"],
    title: "Masks a value of custom.env that contains the key",
    async check(bench) {
      const custom = { env: { CONTRACT_AUTH: "Basic user:${api_key}" } };
      const run = await bench.run({ apiKey: "pass", custom, does: answering("sent: Basic user:pass, pass") });
      assert.equal(resultOf(run).final_message, `sent: ${REDACTED}, ${REDACTED}`);
    },
  },
  {
    id: "transport/mask-forms",
    requirement: ["custom-masking-1", "custom-masking-4"],
    title: "Masks the key in every form in which programs print it",
    async check(bench) {
      for (const [form, text] of Object.entries(FORMS)) {
        const run = await bench.run({ ...KEYED, does: answering(`before ${text} after`) });
        const { final_message } = resultOf(run);
        assert.ok(final_message.includes(REDACTED), `${form}: ${final_message}`);
        assert.ok(/^before .*after$/s.test(final_message), `${form}: ${final_message}`);
        assertNotExposed(run, text, text.slice(4, -4));
      }
    },
  },
  {
    id: "transport/mask-overlap",
    requirement: "custom-masking-8",
    title: "Masks overlapping secrets completely",
    async check(bench) {
      const env = { CONTRACT_LONG: "alpha-beta-gamma", CONTRACT_INNER: "beta-gamma-delta" };
      const run = await bench.run({ custom: { env }, does: answering("<alpha-beta-gamma-delta> <alpha-beta-gamma>") });
      assert.equal(resultOf(run).final_message, `<${REDACTED}> <${REDACTED}>`);
    },
  },
  {
    id: "transport/mask-pieces",
    requirement: "custom-masking-7",
    title: "Masks a key that arrives in several chunks",
    async check(bench) {
      const answer = { exit_code: 0, final_message: `a ${API_KEY} é 😀 z` };
      const run = await bench.run({ ...KEYED, does: { answer, manner: "pieces" } });
      assert.equal(resultOf(run).final_message, `a ${REDACTED} é 😀 z`);
      assertNotExposed(run, API_KEY);
    },
  },
  {
    id: "transport/mask-text",
    requirement: ["custom-masking-1", "custom-http-10"],
    title: "Masks the key in a text response",
    async check(bench) {
      const custom = { response_format: "text" };
      const run = await bench.run({ ...KEYED, custom, does: { text: `${API_KEY}: done` } });
      assert.equal(resultOf(run).final_message, `${REDACTED}: done`);
      assertNotExposed(run, API_KEY);
    },
  },
  {
    id: "transport/mask-diagnostics",
    requirement: ["custom-masking-4", "custom-masking-5", "custom-http-7"],
    title: "Masks the key in the output and the error of a failed call",
    async check(bench) {
      const run = await bench.run({ ...KEYED, does: { fails: true, diagnostics: `refused: ${API_KEY}` } });
      failureOf(run, "transport.");
      assert.equal(run.result?.stderr?.trim(), `refused: ${REDACTED}`);
      assertNotExposed(run, API_KEY);
    },
  },
  {
    id: "transport/mask-unreadable",
    requirement: ["custom-masking-4", "custom-masking-5"],
    title: "Masks the key in messages about an unreadable response",
    async check(bench) {
      const texts = [API_KEY, `${API_KEY}{`, `{"exit_code": "${API_KEY}"}`, `{"exit_code": 0, "${API_KEY}": }`];
      for (const text of [...texts, `{"exit_code":0,"final_message":"","transcript":[{"role":"${API_KEY}"}]}`]) {
        const run = await bench.run({ ...KEYED, does: { text } });
        failureOf(run, "result.");
        // The error message of a JSON parser may quote the text around the error's position.
        assertNotExposed(run, API_KEY, API_KEY.slice(0, 10));
      }
    },
  },
  {
    id: "transport/mask-cut",
    requirement: ["custom-masking-4", "custom-masking-7"],
    title: "Leaves no part of a key at the ends of a truncated long text",
    async check(bench) {
      const around = (length: number): string => `${"x".repeat(length)}${API_KEY}${"y".repeat(length)}`;
      const halves = [API_KEY.slice(0, 10), API_KEY.slice(-10)];
      // Usual lengths at which texts are truncated.
      for (const length of [485, 1_985, 65_520]) {
        for (const does of [{ text: around(length) }, { fails: true, diagnostics: around(length) }]) {
          assertNotExposed(await bench.run({ ...KEYED, does }), ...halves);
        }
      }
      const files = [{ name: "a", path: `../${around(182)}` }];
      const answer = { exit_code: 0, final_message: "", artifacts: { files } };
      const dropped = await bench.run({ ...KEYED, does: { answer } });
      assert.equal(warningsOf(dropped).length, 1);
      assertNotExposed(dropped, ...halves);
    },
  },
  {
    id: "transport/mask-warnings",
    requirement: ["custom-artifact-url-3", "custom-masking-5"],
    title: "Drops a URL that contains the key, with a warning that does not contain it",
    async check(bench) {
      const url = `https://files.example/report?key=${encodeURIComponent(API_KEY)}`;
      const files = [
        { name: "kept.txt", content: "kept" },
        { name: "report", url },
      ];
      const does = { answer: { exit_code: 0, final_message: "", artifacts: { files } } };
      const run = await bench.run({ ...KEYED, does });
      assert.deepEqual(resultOf(run).artifacts?.files, files.slice(0, 1));
      assert.equal(warningsOf(run).length, 1);
      assertNotExposed(run, API_KEY, encodeURIComponent(API_KEY));
    },
  },
];
