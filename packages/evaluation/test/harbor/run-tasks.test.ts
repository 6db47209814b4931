import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startDocker, startPodman, type TestEngine } from "@switchyard/container-engines";
import { type Engine, EngineError } from "@switchyard/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EvalResults, readHarborSuite, runEval } from "../../src/index.ts";
import { engineOf, makeFolder, read } from "../evaluate.ts";
import { makeTasks } from "./task-folder.ts";

const EXAMPLES = fileURLToPath(new URL("../../../../examples/evals/harbor", import.meta.url));
/** Example tasks that run here. `pnpm test:tasks` runs all of them with both clients. */
const SAMPLE = { docker: ["convert-settings", "list-checksums"], podman: ["install-command"] };

const IS_COMPLETE = process.env["HARBOR_TASKS"] === "all";
const TASKS = (await readdir(EXAMPLES, { withFileTypes: true })).flatMap((one) =>
  one.isDirectory() ? [one.name] : [],
);

let engine: TestEngine;

async function run(
  path: string,
  engines: Readonly<Record<string, Engine>>,
  specs: readonly string[] = Object.keys(engines),
): Promise<{ results: EvalResults; output: string }> {
  const suite = await readHarborSuite(path);
  if (suite === undefined) throw new Error("no suite");
  const output = await makeFolder();
  const choices = specs.map((spec) => ({ spec, field: spec }));
  const results = await runEval(
    { ...suite, engines: choices, concurrency: 3 },
    {
      openEngine: async (spec) => {
        const found = engines[String(spec)];
        if (found === undefined) throw new EngineError("engine.not_found", { engine: spec, known: [] });
        return { name: String(spec), engine: found };
      },
      environment: () => Promise.reject(new Error("tasks have containers of their own")),
      containerEngine: { client: engine.client, hostEnv: { ...engine.hostEnv, HOST_KEY: "of the host" } },
      output,
    },
  );
  return { results, output };
}

/** Lists containers, volumes and snapshots that the tests left behind. */
async function leftovers(): Promise<string[]> {
  const lists = [
    await engine.must("ps", "--all", "--quiet"),
    await engine.must("volume", "ls", "--quiet"),
    await engine.must("images", "--quiet", "--filter", "label=switchyard.owner"),
  ];
  return lists.filter((list) => list.trim() !== "");
}

/** What an engine does that looks for the tests, and tampers with everything it can reach. */
const ATTACK = `
find / -xdev \\( -name test.sh -o -name solve.sh -o -name expected.txt \\) 2>/dev/null
cat /tests/expected.txt /solution/solve.sh 2>/dev/null
ls -A /tests /solution /logs/verifier 2>/dev/null
mkdir -p /tests /logs/verifier /evil /usr/local/bin
echo 1 >/logs/verifier/reward.txt; echo '{"reward": 1}' >/logs/verifier/reward.json
printf '#!/bin/sh\\necho 1 >/logs/verifier/reward.txt\\n' >/tests/test.sh; echo done >/tests/expected.txt; echo x >/tests/helper
for name in cat test cmp ls; do printf '#!/bin/sh\\necho done\\nexit 0\\n' >/evil/$name; chmod 755 /evil/$name; done
for file in /etc/profile /root/.profile /root/.bashrc /etc/environment; do echo 'export PATH=/evil:$PATH' >>$file; done
export PATH=/evil:/usr/bin:/bin ENV=/etc/profile
cp /evil/cat /usr/local/bin/checker
setsid sh -c 'while :; do echo 1 >/logs/verifier/reward.txt; sleep 0.05; done' >/dev/null 2>&1 &
`;

/** Tests that print what they can see, and accept only the text of their own file. */
const WATCHING = `#!/bin/sh
echo "files: $(ls -A /tests /logs/verifier | tr '\\n' ' ')"
echo "loops: $(ps | grep -c '[s]leep 0.05')"
echo "path: $PATH"
[ "$(cat /app/out.txt)" = "$(cat /tests/expected.txt)" ] && reward=1 || reward=0
[ -e /logs/verifier/reward.txt ] && echo planted
echo $reward >/logs/verifier/reward.txt
sleep 0.3
`;

const attacker = engineOf(async ({ environment }) => {
  const { stdout } = await environment.shell(ATTACK);
  return `found:${stdout}`;
});

describe.each([
  { client: "docker", start: startDocker },
  { client: "podman", start: startPodman },
] as const)("$client", ({ client, start }) => {
  let missing: string | undefined;
  beforeAll(async () => {
    const started = await start();
    if ("missing" in started) ({ missing } = started);
    else {
      engine = started;
      await engine.must("tag", "switchyard-test/busybox:1", "busybox:stable");
    }
  });
  afterAll(() => (missing === undefined ? engine.stop() : undefined), 300_000);
  beforeEach(({ skip }) => skip(missing !== undefined, `${client} cannot be used: ${missing}`));

  test("an engine sees neither tests nor solution, and nothing that it leaves decides the reward", async () => {
    const folder = await makeTasks({ one: { "tests/test.sh": WATCHING, "tests/expected.txt": "secret answer\n" } });
    const { results, output } = await run(folder, { attacker });
    const [trial] = results.trials;
    expect(trial).toMatchObject({
      ...{
        outcome: "FAIL",
        reason: "The reward is 0.",
        score: 0,
        rewards: { reward: 0 },
        final_message: "found:/logs/verifier:\n",
      },
      warnings: ["The engine added or changed programs that the tests may have used: /usr/local/bin/checker."],
    });
    const printed = trial?.assertions[0]?.output ?? "";
    expect(printed).toContain("files: /logs/verifier:  /tests: expected.txt test.sh");
    expect(printed).toContain("loops: 0\n");
    expect(printed).toMatch(/^path: (?!.*evil)/m);
    expect(printed).not.toContain("planted");
    expect(await read(output, trial?.artifacts[0]?.path ?? "")).toBe("0\n");
    expect(await leftovers()).toEqual([]);
  });

  test(
    "the solution gets the reward 1 and an engine that does nothing 0, with files anywhere and users of the image",
    async () => {
      const folder = await makeFolder();
      expect(TASKS).toHaveLength(12);
      const names = IS_COMPLETE ? TASKS : SAMPLE[client];
      for (const name of names) await cp(join(EXAMPLES, name), join(folder, name), { recursive: true });
      const specs = client === "docker" || IS_COMPLETE ? ["oracle", "nop"] : ["oracle"];
      const { results, output } = await run(folder, {}, specs);
      const scores = results.trials.map(({ case_id, engine: of, score, outcome }) => [case_id, of, score, outcome]);
      const expected = { oracle: [1, "PASS"], nop: [0, "FAIL"] };
      expect(scores).toEqual(
        names.flatMap((name) => specs.map((spec) => [name, spec, ...expected[spec === "nop" ? "nop" : "oracle"]])),
      );
      const junit = await read(output, "junit.xml");
      expect(junit).toContain(
        '<properties><property name="score" value="1"/><property name="reward.reward" value="1"/>',
      );
      if (client === "docker") {
        const trial = results.trials.find((one) => one.case_id === "convert-settings" && one.engine === "oracle");
        expect(trial?.rewards).toEqual({ reward: 1, content: 1, count: 1 });
        expect(results.groups).toMatchObject([
          { engine: "oracle", mean_score: 1 },
          { engine: "nop", mean_score: 0 },
        ]);
        expect(await read(output, "report.html")).toContain("reward 1");
      }
      expect(await leftovers()).toEqual([]);
    },
    IS_COMPLETE ? 1_200_000 : 60_000,
  );

  // The same arguments are passed to both clients, so one client is enough.
  if (client === "podman") return;

  test("limits, network, variables and working directory of both phases are those of the task", async () => {
    const inspect = "{{.HostConfig.Memory}} {{.HostConfig.CpuQuota}} {{.HostConfig.NetworkMode}}";
    const seen: string[] = [];
    const looker = engineOf(async ({ environment }) => {
      seen.push(await engine.must("inspect", "--format", inspect, (await engine.must("ps", "--quiet")).trim()));
      const { stdout } = await environment.shell('echo "$MODE $KEY $(pwd)"; echo done >/app/out.txt');
      return stdout;
    });
    const folder = await makeTasks({
      one: {
        "task.toml": `[agent]
timeout_sec = 20
[verifier]
network_mode = "no-network"
env = { KEY = "\${HOST_KEY}" }
[environment]
cpus = 1
memory_mb = 96
network_mode = "public"
env = { MODE = "test" }
`,
        "tests/test.sh": `#!/bin/sh
echo "$MODE $KEY $(pwd) $(ls /sys/class/net | tr '\\n' ' ')"
echo 1 >/logs/verifier/reward.txt
`,
      },
    });
    const { results } = await run(folder, { looker });
    expect(results.trials[0]).toMatchObject({ outcome: "PASS", final_message: "test  /app\n" });
    expect(results.trials[0]?.assertions[0]?.output).toBe("test of the host /app lo \n");
    expect(seen).toEqual([`${96 * 1024 * 1024} 100000 bridge`]);
  });

  test("an engine that exceeds its time is verified; tests without a reward, or that exceed their time, are errors", async () => {
    const slow = engineOf(async ({ input, environment, signal }) => {
      if (input.case_id !== "a-slow") return "";
      await environment.shell("echo done >/app/out.txt; sleep 60", { signal });
      return "";
    });
    const short = '[agent]\ntimeout_sec = 1\n[verifier]\ntimeout_sec = 1\n[environment]\nnetwork_mode = "no-network"\n';
    const folder = await makeTasks({
      "a-slow": { "task.toml": short },
      "b-none": { "task.toml": short, "tests/test.sh": "echo no reward; exit 3\n#" },
      "c-link": { "task.toml": short, "tests/test.sh": "#!/bin/sh\nln -s /etc/passwd /logs/verifier/reward.txt\n" },
      "d-slow": { "task.toml": short, "tests/test.sh": "#!/bin/sh\nsleep 30\n" },
      "e-build": { "environment/Dockerfile": "FROM busybox:stable\nRUN echo cannot build >&2; exit 5\n" },
    });
    const { results, output } = await run(folder, { slow });
    expect(results.trials.map(({ outcome, reason }) => [outcome, reason?.split("\n")[0]])).toEqual([
      ["PASS", undefined],
      ["ERROR", "tests/test.sh could not be run: The command bash was not found."],
      ["ERROR", expect.stringMatching(/^tests\/test\.sh wrote neither .*reward\.json\. Its exit code was 0\.$/)],
      ["ERROR", "tests/test.sh did not end within 1 s."],
      ["ERROR", expect.stringContaining("the image could not be built")],
    ]);
    expect(results.trials[0]?.warnings[0]).toBe(
      "The engine did not end within 1 s. The tests ran with the files it had written.",
    );
    expect(results.trials[4]?.reason).toContain("cannot build");
    const log = await readFile(join(output, "results.jsonl"), "utf8");
    expect(log).toContain('"score":1');
    expect(await leftovers()).toEqual([]);
  });
});
