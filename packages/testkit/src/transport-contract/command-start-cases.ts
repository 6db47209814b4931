// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations contain variable references.
import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import {
  API_KEY,
  assertRefused,
  type CaseSetting,
  inputOf,
  resultOf,
  type TransportBench,
  type TransportRun,
  userMessages,
} from "./transport-bench.ts";

function commandOf({ received }: TransportRun): NonNullable<TransportRun["received"][number]["command"]> {
  const [call] = received;
  if (call?.command === undefined) assert.fail("The command was not started.");
  return call.command;
}

/** Conformance cases for starting a command, and its inputs. */
export const commandStartCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "local-transport/arguments",
    requirement: ["custom-local-3", "custom-local-2"],
    title: "Passes each argument as one argument, byte for byte",
    async check(bench) {
      const args = [
        ...["", " ", "two words", "'single' \"double\"", "`date` $(touch planted) $HOME ; touch planted & # \\"],
        ...["a\nb\ttab", "-n", "--", "*", "~", "ünï 😀", "%PATH%", "{a,b}", "!", "\\$", "${not closed"],
      ];
      const run = await bench.run({ carrier: { args } });
      resultOf(run);
      assert.deepEqual(commandOf(run).args, args);
      assert.equal(await run.subject?.environment.exists("planted"), false);
    },
  },
  {
    id: "local-transport/arguments-rendered",
    requirement: ["custom-local-2", "custom-templates-1", "custom-templates-8", "custom-templates-13"],
    title: "Renders arguments, each value as part of one argument, and resolves no references in values",
    async check(bench) {
      const args = [
        "${workspace}",
        "--prompt=${prompt}",
        "${case_id}",
        "${kwargs.word}",
        "${CONTRACT_WORD}",
        "${model}",
      ];
      const prompt = "a 'b' \"c\" $(touch planted) ${api_key}";
      const run = await bench.run(
        {
          ...{ carrier: { args }, apiKey: API_KEY, model: { provider: "acme", name: "m" } },
          ...{ custom: { kwargs: { word: "w ${case_id}" } }, variables: { CONTRACT_WORD: "${case_id} x" } },
        },
        { input: { messages: userMessages(prompt), case_id: "c 1" } },
      );
      const workspace = run.subject?.environment.workingDirectory ?? "";
      const expected = [workspace, `--prompt=${prompt}`, "c 1", "w c 1", "${case_id} x", "acme/m"];
      assert.deepEqual(commandOf(run).args, expected);
    },
  },
  {
    id: "local-transport/folder",
    requirement: ["custom-config-12", "custom-local-4", "custom-confinement-2"],
    title: "Runs the command in the workspace, or in the configured folder of the workspace",
    async check(bench) {
      const directory = async (cwd?: string): Promise<string> => {
        const run = await bench.run({ carrier: cwd === undefined ? {} : { cwd } }, { files: { "sub dir/a": "" } });
        const root = run.subject?.environment.workingDirectory ?? "";
        return commandOf(run).cwd.replace(root, "");
      };
      assert.deepEqual(
        [await directory(), await directory("sub dir"), await directory("${workspace}/sub dir")],
        ["", "/sub dir", "/sub dir"],
      );
    },
  },
  {
    id: "local-transport/input-file",
    requirement: ["custom-config-13", "custom-local-1", "custom-templates-5"],
    title: "Writes the input to inputs/messages.json or the configured file, and creates its folders",
    async check(bench) {
      for (const input_file of [undefined, "a/b/c/in.json", "${workspace}/x/in.json"]) {
        const run = await bench.run({ carrier: input_file === undefined ? {} : { input_file } });
        const root = run.subject?.environment.workingDirectory ?? "";
        const path = (input_file ?? "inputs/messages.json").replace("${workspace}/", "");
        assert.equal(commandOf(run).inputFile, `${root}/${path}`);
        assert.deepEqual(inputOf(run).messages, userMessages("Say hello."));
      }
    },
  },
  {
    id: "local-transport/variables",
    requirement: ["custom-credentials-4", "custom-credentials-2", "custom-credentials-6"],
    title: "Passes custom.env to the command, in addition to the core variables and nothing else",
    async check(bench) {
      const env = {
        CONTRACT_A: "a b\n'c'",
        CONTRACT_KEY: "${api_key}",
        CONTRACT_EMPTY: "",
        CONTRACT_CASE: "${case_id}",
      };
      const variables = { CONTRACT_HOST: "of the host" };
      const run = await bench.run({ custom: { env }, apiKey: API_KEY, variables }, { input: { case_id: "c" } });
      const seen = commandOf(run).variables;
      const passed = Object.fromEntries(Object.keys({ ...env, ...variables }).map((name) => [name, seen[name]]));
      assert.deepEqual(passed, {
        ...{ CONTRACT_A: "a b\n'c'", CONTRACT_KEY: API_KEY, CONTRACT_EMPTY: "", CONTRACT_CASE: "c" },
        CONTRACT_HOST: undefined,
      });
      assert.notEqual(seen["PATH"] ?? "", "");
    },
  },
  {
    id: "local-transport/secret-arguments",
    requirement: ["custom-strict-1", "custom-strict-2", "custom-strict-3", "custom-strict-4"],
    title: "Rejects references that may contain a secret wherever others could read them",
    async check(bench) {
      const variables = { CONTRACT_TOKEN: "harmless", CONTRACT_API_KEY: "harmless" };
      const custom = { kwargs: { apiToken: "x", "db-password": "x" } };
      const names = ["api_key", "kwargs_json", "session_input_json", "kwargs.apiToken", "kwargs.db-password"];
      for (const name of [...names, "CONTRACT_TOKEN", "CONTRACT_API_KEY"]) {
        const setting = { custom, variables, apiKey: API_KEY };
        await assertRefused(bench, { ...setting, carrier: { args: [`--x=\${${name}}`] } }, { mentions: "env" });
      }
      for (const field of ["cwd", "input_file", "output_file"]) {
        await assertRefused(
          bench,
          { apiKey: API_KEY, carrier: { [field]: "a/${api_key}" } },
          { mentions: `local.${field}` },
        );
      }
    },
  },
  {
    id: "local-transport/secret-values",
    requirement: ["custom-strict-5", "custom-strict-7"],
    title: "Rejects a credential that is the value of a harmless reference",
    async check(bench) {
      const shaped = ["ghp", "a1B2c3D4e5F6".repeat(3)].join("_");
      const kwargs = { word: "${CONTRACT_WORD}" };
      const args = ["${kwargs.word}"];
      const by = (variables: Record<string, string>, used: readonly string[]): CaseSetting => ({
        ...{ apiKey: API_KEY, variables, carrier: { args: used } },
        custom: used === args ? { kwargs } : {},
      });
      await assertRefused(bench, by({ CONTRACT_WORD: shaped }, ["${CONTRACT_WORD}"]), { mentions: "args" });
      await assertRefused(bench, by({}, [`\${CONTRACT_NOT:-${shaped}}`]), { mentions: "CONTRACT_NOT" });
      await assertRefused(bench, by({ CONTRACT_WORD: `x ${API_KEY}` }, ["${CONTRACT_WORD}"]), { mentions: "args" });
      await assertRefused(bench, by({ CONTRACT_WORD: `x ${API_KEY}` }, args), { mentions: "args" });
    },
  },
  {
    id: "local-transport/harmless-arguments",
    requirement: "custom-strict-10",
    title: "Accepts harmless references of the same form",
    async check(bench) {
      const kwargs = { profile: "strict", max_tokens: "20", monkey: "x" };
      const args = ["${kwargs.profile}", "${kwargs.max_tokens}", "${kwargs.monkey}", "${CONTRACT_WORD:-sketch-of-it}"];
      const run = await bench.run({ apiKey: API_KEY, custom: { kwargs }, carrier: { args } });
      resultOf(run);
      assert.deepEqual(commandOf(run).args, ["strict", "20", "x", "sketch-of-it"]);
    },
  },
  {
    id: "local-transport/confined",
    requirement: ["custom-confinement-1", "custom-confinement-2", "custom-confinement-3", "custom-confinement-7"],
    title: "Rejects a folder, an input file or an output file outside the workspace before anything runs",
    async check(bench) {
      for (const field of ["cwd", "input_file", "output_file"]) {
        for (const path of ["..", "../x", "a/../../x", "/etc/x", "${workspace}/../x", "${workspace}-evil/x"]) {
          await assertRefused(bench, { carrier: { [field]: path } }, { mentions: `local.${field}` });
        }
      }
    },
  },
  {
    id: "local-transport/confined-links",
    requirement: ["custom-confinement-1", "custom-confinement-4"],
    title: "Rejects a folder, an input file or an output file that a symbolic link leads out of the workspace",
    async check(bench) {
      for (const field of ["cwd", "input_file", "output_file"]) {
        for (const path of ["way-out", "way-out/tmp", "way-out/tmp/not/there/yet.json"]) {
          const run = { script: "ln -s / way-out", mentions: `local.${field}` };
          await assertRefused(bench, { carrier: { [field]: path } }, run);
        }
      }
    },
  },
];
