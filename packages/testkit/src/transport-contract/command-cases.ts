// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations contain variable references.
import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import type { CommandBehaviour } from "./engine-behaviour.ts";
import {
  API_KEY,
  assertNotExposed,
  DONE,
  failureOf,
  inputOf,
  printedOf,
  REDACTED,
  resultOf,
  type TransportBench,
  userMessages,
  warningsOf,
} from "./transport-bench.ts";

const TO_FILE: CommandBehaviour = { toFile: true };
const STALE = JSON.stringify({ exit_code: 0, final_message: "of an earlier run" });

/** Conformance cases for where the result of a command is read from. */
export const commandResultCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "local-transport/output-file",
    requirement: ["custom-local-5", "custom-templates-5"],
    title: "Reads the result from the output file, whatever is printed",
    async check(bench) {
      for (const output_file of ["${output_file}", "results/deep/r.json", "${workspace}/r.json"]) {
        const command = { ...TO_FILE, printed: STALE };
        const run = await bench.run({ carrier: { output_file }, does: { answer: DONE, command } });
        assert.equal(resultOf(run).final_message, "done");
      }
    },
  },
  {
    id: "local-transport/stdout",
    requirement: ["custom-local-6", "custom-local-9"],
    title:
      "Reads the result from standard output without an output file, and neither reads nor deletes the default file",
    async check(bench) {
      const path = "outputs/session-result.json";
      const run = await bench.run({}, { files: { [path]: STALE } });
      assert.equal(resultOf(run).final_message, "done");
      assert.equal(await run.subject?.environment.readFile(path), STALE);
    },
  },
  {
    id: "local-transport/output-file-missing",
    requirement: "custom-local-7",
    title: "Reads the result from standard output if the output file is missing or empty",
    async check(bench) {
      const carrier = { output_file: "r.json" };
      assert.equal(resultOf(await bench.run({ carrier })).final_message, "done");
      const command = { ...TO_FILE, printed: JSON.stringify(DONE) };
      assert.equal(resultOf(await bench.run({ carrier, does: { text: " \n", command } })).final_message, "done");
    },
  },
  {
    id: "local-transport/output-file-stale",
    requirement: ["custom-local-8", "custom-local-10"],
    title: "Removes an output file of an earlier run with a notice, and never reads it as the result",
    async check(bench) {
      const run = await bench.run({ carrier: { output_file: "r.json" }, does: {} }, { files: { "r.json": STALE } });
      failureOf(run, "result.missing");
      assert.equal(warningsOf(run).filter((warning) => warning.includes("r.json")).length, 1);
      assert.equal(warningsOf(await bench.run({ carrier: { output_file: "r.json" } })).length, 0);
    },
  },
  {
    id: "local-transport/output-is-input",
    requirement: ["custom-local-11", "custom-local-10"],
    title: "Does not clear an output file that is also the input file, and does not read it unchanged as the result",
    async check(bench) {
      const carrier = { input_file: "io.json", output_file: "./io.json" };
      const run = await bench.run({ carrier });
      assert.deepEqual(inputOf(run).messages, userMessages("Say hello."));
      assert.equal(resultOf(run).final_message, "done");
      const written = await bench.run({ carrier, does: { answer: { ...DONE, turns: 5 }, command: TO_FILE } });
      assert.equal(resultOf(written).turns, 5);
      failureOf(await bench.run({ carrier, does: {} }), "result.missing");
    },
  },
  {
    id: "local-transport/output-swapped",
    requirement: ["custom-confinement-5", "custom-confinement-6"],
    title: "Does not follow a folder of the output file that the engine replaces with a symbolic link",
    async check(bench) {
      const command = { links: { results: "/" } };
      const carrier = { output_file: "results/etc/passwd" };
      const run = await bench.run({ carrier, does: { command } });
      failureOf(run, "result.");
      assertNotExposed(run, "root:");
      const file = { links: { "r.json": "/etc/passwd" } };
      const linked = await bench.run({ carrier: { output_file: "r.json" }, does: { command: file } });
      failureOf(linked, "result.");
      assertNotExposed(linked, "root:");
    },
  },
  {
    id: "local-transport/text-of-file",
    requirement: "custom-local-12",
    title: "Uses standard output as the final message in the text format, whatever the output file contains",
    async check(bench) {
      const command = { ...TO_FILE, printed: "printed" };
      const setting = { carrier: { output_file: "r.json" }, does: { answer: DONE, command } };
      const run = await bench.run({ ...setting, custom: { response_format: "text" } });
      assert.equal(resultOf(run).final_message, "printed");
      const failing = { text: "printed", command: { exitCode: 9 } };
      assert.equal((await bench.run({ custom: { response_format: "text" }, does: failing })).result?.exit_code, 9);
    },
  },
  {
    id: "local-transport/exit-code",
    requirement: ["custom-local-13", "custom-local-14", "custom-errors-6"],
    title: "Sets the exit code of a failed command on a result that claims success, and on a missing one",
    async check(bench) {
      const liar = await bench.run({ does: { answer: DONE, command: { exitCode: 17 } } });
      assert.deepEqual([resultOf(liar).exit_code, resultOf(liar).final_message], [17, "done"]);
      const silent = await bench.run({ does: { diagnostics: "no key\n", command: { exitCode: 17 } } });
      assert.match(failureOf(silent, "transport.failed").message, /exited 17.*no key/);
      assert.equal(silent.result?.exit_code, 17);
    },
  },
  {
    id: "local-transport/stderr",
    requirement: ["custom-errors-4", "custom-session-result-8"],
    title: "Uses the standard error of the command as stderr of a result that has none",
    async check(bench) {
      const run = await bench.run({ does: { answer: DONE, diagnostics: "a warning\n" } });
      assert.equal(resultOf(run).stderr, "a warning\n");
      const result = { ...DONE, stderr: "of its own" };
      assert.equal(resultOf(await bench.run({ does: { answer: result, diagnostics: "x" } })).stderr, "of its own");
    },
  },
  {
    id: "local-transport/own-files",
    requirement: "custom-local-16",
    title: "Excludes the input file and the output file from the artifacts, however they are declared",
    async check(bench) {
      const paths = ["inputs/messages.json", "./r.json", "out/../r.json"];
      const files = [...paths, "out/kept.txt"].map((path) => ({ name: "a", path }));
      const does = { answer: { ...DONE, artifacts: { files, generated_files: paths } }, command: TO_FILE };
      const run = await bench.run({ carrier: { output_file: "r.json" }, does }, { files: { "out/kept.txt": "" } });
      assert.deepEqual(resultOf(run).artifacts, { files: [{ name: "a", path: "out/kept.txt" }], generated_files: [] });
    },
  },
  {
    id: "local-transport/absolute-artifacts",
    requirement: ["custom-artifacts-7", "custom-confinement-2"],
    title: "Accepts an absolute artifact path inside the workspace",
    async check(bench) {
      const path = "@workspace@/out/kept.txt";
      const artifacts = { files: [{ name: "a", path }], generated_files: [path] };
      const run = await bench.run({ does: { answer: { ...DONE, artifacts } } }, { files: { "out/kept.txt": "" } });
      const artifactPath = `${run.subject?.environment.workingDirectory}/out/kept.txt`;
      assert.deepEqual(resultOf(run).artifacts, {
        files: [{ name: "a", path: artifactPath }],
        generated_files: [artifactPath],
      });
    },
  },
];

/** Conformance cases for a command's output and exit. */
export const commandEndCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "local-transport/printed",
    requirement: ["custom-masking-5", "custom-masking-7"],
    title:
      "Passes output to the host while the command runs, in order and without secrets, also if it arrives in chunks",
    async check(bench) {
      const printed = `step 1\nkey ${API_KEY} é\n`;
      const does = { answer: DONE, manner: "pieces", command: { ...TO_FILE, printed }, diagnostics: "" } as const;
      const setting = { apiKey: API_KEY, credential: "${api_key}", does, carrier: { output_file: "r.json" } };
      const run = await bench.run(setting);
      assert.equal(printedOf(run), `step 1\nkey ${REDACTED} é\n`);
      assertNotExposed(run, API_KEY, API_KEY.slice(0, 12));
    },
  },
  {
    id: "local-transport/child-holds-pipes",
    requirement: "custom-process-3",
    title: "Succeeds if the command succeeds, although a child process holds its output open",
    async check(bench) {
      const run = await bench.run({ does: { answer: DONE, command: { leavesChild: true } } });
      assert.deepEqual([resultOf(run).exit_code, resultOf(run).final_message], [0, "done"]);
      await run.subject?.whenOver();
    },
  },
  {
    id: "local-transport/stubborn",
    requirement: ["custom-process-4", "custom-process-2", "custom-process-5"],
    title: "Kills a command that ignores SIGTERM, together with its background processes",
    async check(bench) {
      const command = { isStubborn: true, leavesChild: true };
      const run = await bench.run({ does: { manner: "never", command } }, { stop: "signal" });
      failureOf(run, "run.");
      await run.subject?.whenOver();
    },
  },
  {
    id: "local-transport/not-found",
    requirement: "custom-local-15",
    title: "Names a program that is not found, and explains arguments in the same text",
    async check(bench) {
      const run = await bench.run({ carrier: { command: "no-such-program-here --run" } });
      const { message } = failureOf(run, "transport.start_failed");
      assert.match(message, /no-such-program-here/);
      assert.match(message, /engine\.custom\.local\.args/);
    },
  },
];
