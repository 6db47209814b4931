// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the commands contain shell expansions.
import assert from "node:assert/strict";
import type { EnvironmentVariables } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { createMark, type EnvironmentBench, HOST_VARIABLES } from "./environment-bench.ts";

const ODD_VALUES = {
  CONTRACT_SPACES: "  a  b  ",
  CONTRACT_QUOTES: `'single' "double"`,
  CONTRACT_LINES: "one\ntwo\n",
  CONTRACT_SHELL: "$HOME `date` $(touch planted) ; touch planted # \\",
  CONTRACT_WIDE: "ünï 😀",
  CONTRACT_EMPTY: "",
  CONTRACT_EQUALS: "a=b=c",
  CONTRACT_DASH: "-n",
} as const;

/** Resolves with the host's test variables that a command inherits. */
async function seenIn({ environment }: EnvironmentBench, env?: EnvironmentVariables): Promise<ReadonlySet<string>> {
  const line = Object.keys(HOST_VARIABLES)
    .map((name) => `[ -z "\${${name}+x}" ] || echo ${name}`)
    .join("; ");
  const { stdout } = await environment.shell(`${line}; :`, { env });
  return new Set(stdout.split("\n").filter((name) => name !== ""));
}

/** Conformance cases for the environment variables of commands. */
export const variableCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/variables-set",
    requirement: "loop-4.1-4",
    title: "Passes a set variable unchanged, whatever its content, and only to its command",
    async check({ environment, needs }) {
      needs("shell");
      for (const [name, value] of Object.entries(ODD_VALUES)) {
        const { stdout } = await environment.shell(`printf '<%s>' "\${${name}-unset}"`, { env: { set: ODD_VALUES } });
        assert.equal(stdout, `<${value}>`, name);
      }
      const { stdout } = await environment.exec(["env"], { env: { set: ODD_VALUES } });
      assert.ok(stdout.includes("CONTRACT_LINES=one\ntwo\n\n"), stdout);
      assert.equal((await environment.shell('echo "<${CONTRACT_WIDE-unset}>"')).stdout, "<unset>\n");
      assert.equal(await environment.exists("planted"), false);
    },
  },
  {
    id: "environment/variables-all",
    requirement: ["loop-4.2-7", "loop-4.2-10"],
    title: "Passes the host's variables by default, except those that are secret by name or value",
    async check(bench) {
      bench.needs("shell", "variables");
      const expected = new Set(["CONTRACT_PLAIN", "CONTRACT_OTHER", "LANG"]);
      assert.deepEqual([await seenIn(bench), await seenIn(bench, { policy: "all" })], [expected, expected]);
      const { stdout } = await bench.environment.shell('echo "$CONTRACT_PLAIN"');
      assert.equal(stdout, `${HOST_VARIABLES["CONTRACT_PLAIN"]}\n`);
      assert.doesNotMatch((await bench.environment.exec(["env"])).stdout, /named like a secret|ghp_/);
    },
  },
  {
    id: "environment/variables-core",
    requirement: ["loop-4.2-8", "loop-4.2-9"],
    title: "Passes only PATH, HOME and similar variables with the policy core",
    async check(bench) {
      bench.needs("shell", "variables");
      assert.deepEqual(await seenIn(bench, { policy: "core" }), new Set(["LANG"]));
      const { stdout } = await bench.environment.shell('echo "${HOME:+home} ${PATH:+path}"', {
        env: { policy: "core" },
      });
      assert.equal(stdout, "home path\n");
    },
  },
  {
    id: "environment/variables-none",
    requirement: "loop-4.2-9",
    title: "Passes none of the host's variables with the policy none, and still finds programs",
    async check(bench) {
      bench.needs("shell", "variables");
      const { environment } = bench;
      assert.deepEqual(await seenIn(bench, { policy: "none" }), new Set());
      const env = { policy: "none", set: { CONTRACT_GIVEN: "given" } } as const;
      assert.ok((await environment.exec(["env"], { env })).stdout.includes("CONTRACT_GIVEN=given\n"));
      assert.equal((await environment.shell('echo a | cat; echo "${HOME-unset}"', { env })).stdout, "a\nunset\n");
    },
  },
  {
    id: "environment/variables-lists",
    requirement: "loop-4.2-10",
    title: "Matches names in lists regardless of case: deny overrides allow, allow overrides the policy",
    async check(bench) {
      bench.needs("shell", "variables");
      const allowed = await seenIn(bench, { policy: "none", allow: ["CONTRACT_API_KEY", "contract_other"] });
      assert.deepEqual(allowed, new Set(["contract_api_key", "CONTRACT_OTHER"]));
      const denied = await seenIn(bench, { deny: ["contract_plain", "LANG"], allow: ["CONTRACT_PLAIN"] });
      assert.deepEqual(denied, new Set(["CONTRACT_OTHER"]));
    },
  },
  {
    id: "environment/variables-over",
    requirement: "loop-4.1-4",
    title: "Overrides the host's variables with set ones, even if the name is that of a secret",
    async check({ environment, needs }) {
      needs("shell", "variables");
      const set = { CONTRACT_PLAIN: "mine", contract_api_key: "wanted", LANG: "C" };
      const line = 'echo "$CONTRACT_PLAIN,$contract_api_key,$LANG"';
      assert.equal((await environment.shell(line, { env: { set } })).stdout, "mine,wanted,C\n");
      assert.equal((await environment.shell(line, { env: { policy: "none", set } })).stdout, "mine,wanted,C\n");
      // Child processes of a command must inherit the command's variables too.
      const started = await environment.exec(["sh", "-c", `sh -c '${line}'`], { env: { set } });
      assert.equal(started.stdout, "mine,wanted,C\n");
    },
  },
  {
    id: "environment/variables-secret",
    requirement: "loop-4.2-7",
    title: "Shows a set value in no process's command line while the command runs",
    async check({ environment, needs, countProcesses }) {
      needs("shell", "processes");
      const secret = `secret-${createMark()}`;
      const env = { set: { CONTRACT_SESSION_TOKEN: secret } };
      let counting: Promise<number> | undefined;
      const stop = new AbortController();
      const { stdout, aborted } = await environment.shell('echo "${#CONTRACT_SESSION_TOKEN}"; sleep 20; :', {
        env,
        signal: stop.signal,
        onOutput: () => {
          counting ??= countProcesses(secret);
          const over = (): void => stop.abort();
          counting.then(over, over);
        },
      });
      assert.deepEqual([stdout, aborted], [`${secret.length}\n`, true]);
      assert.equal(await counting, 0, "the value is in the list of processes");
    },
  },
];
