// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations contain variable references.
import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import {
  API_KEY,
  assertNotExposed,
  type CaseSetting,
  failureOf,
  inputOf,
  resultOf,
  type TransportBench,
} from "./transport-bench.ts";

/**
 * Asserts that the configuration is rejected before anything runs, with a message that contains all of the given texts.
 */
async function assertRefused(bench: TransportBench, setting: CaseSetting, mentions: readonly string[]): Promise<void> {
  const run = await bench.run(setting);
  const { message } = failureOf(run, "config.invalid_engine", "config.invalid", "template.unresolved");
  for (const mention of mentions)
    assert.ok(message.includes(mention), `the message lacks ${JSON.stringify(mention)}: ${message}`);
  assert.equal(run.received.length, 0, "the engine was called although it must not be");
}

/** Conformance cases for rejected settings. */
export const settingCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/setting-format",
    requirement: ["custom-config-8", "custom-config-17"],
    title: "Rejects an unknown response format, and lists the known ones",
    check: (bench) =>
      assertRefused(bench, { custom: { response_format: "xml" } }, [
        "engine.custom.response_format",
        "session_result, text",
        "xml",
      ]),
  },
  {
    id: "transport/setting-timeout",
    requirement: ["custom-config-9", "custom-config-17"],
    title: "Rejects a negative or malformed timeout",
    async check(bench) {
      await assertRefused(bench, { custom: { timeout_seconds: -1 } }, ["engine.custom.timeout_seconds"]);
      await assertRefused(bench, { custom: { timeout_seconds: "60" } }, ["engine.custom.timeout_seconds"]);
      await assertRefused(bench, { custom: { timeout_seconds: 1.5 } }, ["engine.custom.timeout_seconds"]);
    },
  },
  {
    id: "transport/setting-kwargs",
    requirement: ["custom-config-10", "custom-config-11", "custom-config-17"],
    title: "Rejects parameters that are not text or have the name of a built-in variable",
    async check(bench) {
      await assertRefused(bench, { custom: { kwargs: { max_files: 20 } } }, ["engine.custom.kwargs.max_files"]);
      for (const name of ["model", "case_id", "max_turns", "workspace", "api_key", "session_input"]) {
        await assertRefused(bench, { custom: { kwargs: { [name]: "x" } } }, [`"${name}"`, "rename it"]);
      }
    },
  },
  {
    id: "transport/setting-missing-variable",
    requirement: ["custom-env-refs-1", "custom-config-17", "custom-templates-11"],
    title: "Rejects a reference to a missing or empty variable, and names the variable",
    async check(bench) {
      for (const variables of [{}, { CONTRACT_NOT: "" }]) {
        const custom = { kwargs: { word: "${CONTRACT_NOT}" } };
        await assertRefused(bench, { custom, variables: { ...variables } }, [
          "CONTRACT_NOT",
          "engine.custom.kwargs.word",
        ]);
      }
    },
  },
  {
    id: "transport/setting-message",
    requirement: ["custom-env-refs-3", "custom-env-refs-4"],
    title: "Uses the message of a reference in its error, or the variable's name if the message is empty",
    async check(bench) {
      const settingWith = (text: string): CaseSetting => ({ custom: { kwargs: { word: text } } });
      await assertRefused(bench, settingWith("${CONTRACT_NOT?set the word}"), ["set the word"]);
      await assertRefused(bench, settingWith("${CONTRACT_NOT?}"), ["CONTRACT_NOT"]);
      // Values of built-in variables are known only when the run starts.
      await assertRefused(bench, settingWith("${case_id?name the case}"), ["name the case"]);
      await assertRefused(bench, { custom: { env: { CONTRACT_MODE: "${kwargs.mode?}" } } }, ["kwargs.mode"]);
      resultOf(await bench.run({ custom: { kwargs: { word: "${prompt?there is always one}" } } }));
    },
  },
  {
    id: "transport/setting-all-problems",
    requirement: ["custom-config-16", "custom-config-17"],
    title: "Reports all problems of a configuration together, each with its field",
    check: (bench) =>
      assertRefused(
        bench,
        {
          custom: {
            ...{ timeout_seconds: -3, response_format: "xml", kwargs: { model: "x", word: "${CONTRACT_NOT}" } },
            ...{ env: { "NOT A NAME": "x" }, colour: "red" },
          },
        },
        [
          ...["engine.custom.timeout_seconds", "engine.custom.response_format", '"model"', "CONTRACT_NOT"],
          ...["NOT A NAME", "engine.custom.colour"],
        ],
      ),
  },
  {
    id: "transport/setting-stateful-text",
    requirement: "custom-config-8",
    title: "Rejects a stateful conversation in the text format, which cannot carry a session id",
    check: (bench) =>
      assertRefused(bench, { custom: { conversation_mode: "stateful", response_format: "text" } }, [
        "engine.custom.response_format",
        "stateful",
      ]),
  },
  {
    id: "transport/setting-secrets-untold",
    requirement: ["custom-masking-5", "custom-config-16"],
    title: "Includes no secret in the error for a rejected configuration",
    async check(bench) {
      const secret = "value-of-the-secret";
      const run = await bench.run({
        ...{ apiKey: API_KEY, credential: "${api_key}", variables: { CONTRACT_TOKEN: secret } },
        custom: { env: { TOKEN: "${CONTRACT_TOKEN}", PLAIN: secret }, timeout_seconds: -1, kwargs: { model: secret } },
      });
      failureOf(run, "config.invalid_engine");
      assertNotExposed(run, secret, API_KEY);
    },
  },
];

/** Conformance cases for credentials passed to the engine. */
export const credentialCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/key-unasked",
    requirement: ["custom-credentials-1", "custom-credentials-2", "custom-credentials-3"],
    title: "Does not pass the key where it is not referenced",
    async check(bench) {
      const run = await bench.run({ apiKey: API_KEY, custom: { kwargs: { profile: "strict" } } });
      resultOf(run);
      const [call] = run.received;
      const seen = `${call?.payload}\n${call?.surroundings}`;
      for (const text of [API_KEY, JSON.stringify(API_KEY).slice(1, -1), encodeURIComponent(API_KEY)]) {
        assert.ok(!seen.includes(text), "the engine got the key unasked");
      }
    },
  },
  {
    id: "transport/key-asked",
    requirement: ["custom-credentials-2", "custom-credentials-3", "custom-templates-7", "custom-strict-9"],
    title: "Passes the key only where it is referenced, character by character",
    async check(bench) {
      const run = await bench.run({ apiKey: API_KEY, credential: "Bearer ${api_key}" });
      resultOf(run);
      assert.equal(run.received[0]?.credential, `Bearer ${API_KEY}`);
      assert.ok(!run.received[0]?.payload.includes(API_KEY), "the SessionInput contains the key");
    },
  },
  {
    id: "transport/key-absent",
    requirement: "custom-credentials-5",
    title: "Works without a key if none is referenced, and passes an empty value if a missing key is referenced",
    async check(bench) {
      resultOf(await bench.run({}));
      const run = await bench.run({ credential: "<${api_key}>" });
      assert.equal(resultOf(run).final_message, "done");
      assert.equal(run.received[0]?.credential, "<>");
    },
  },
  {
    id: "transport/credential-variable",
    requirement: ["custom-env-refs-5", "custom-env-refs-3"],
    title: "Accepts a credential from an environment variable",
    async check(bench) {
      const credential = "Token ${CONTRACT_TOKEN?CONTRACT_TOKEN is required}";
      const run = await bench.run({ credential, variables: { CONTRACT_TOKEN: "t0ken with = and :" } });
      assert.equal(run.received[0]?.credential, "Token t0ken with = and :");
      const without = await bench.run({ credential });
      assert.match(failureOf(without, "config.invalid_engine").message, /CONTRACT_TOKEN is required/);
      assert.equal(without.received.length, 0);
    },
  },
  {
    id: "transport/variables-unasked",
    requirement: ["custom-credentials-6", "custom-credentials-4"],
    title: "Does not pass host variables that the configuration does not name",
    async check(bench) {
      const run = await bench.run({
        custom: { kwargs: { word: "${CONTRACT_WORD}" } },
        variables: { CONTRACT_WORD: "asked for", CONTRACT_OTHER: "unasked-value", CONTRACT_TOKEN: "unasked-secret" },
      });
      assert.deepEqual(inputOf(run).kwargs, { word: "asked for" });
      assert.doesNotMatch(run.received[0]?.surroundings ?? "", /unasked-value|unasked-secret|CONTRACT_OTHER/);
    },
  },
  {
    id: "transport/env-not-in-input",
    requirement: ["custom-credentials-4", "custom-session-input-5"],
    title: "Does not include the engine's environment variables in the SessionInput",
    async check(bench) {
      const run = await bench.run({ custom: { env: { CONTRACT_TOKEN: "variable-of-the-engine" } } });
      resultOf(run);
      assert.doesNotMatch(run.received[0]?.payload ?? "", /variable-of-the-engine|CONTRACT_TOKEN/);
    },
  },
];
