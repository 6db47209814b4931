import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/** Engines that, according to the README, run in every environment, except listed ones. */
interface EngineTable {
  /** Environments of the task, by the README's name. */
  readonly environments: Readonly<Record<string, string>>;
  readonly engines: readonly {
    readonly id: string;
    readonly title: string;
    /** Environments, by the README's name, in which the engine cannot run. */
    readonly lacks: readonly string[];
  }[];
}

const TABLE: EngineTable = JSON.parse(readFileSync(join(import.meta.dirname, "engines.json"), "utf8"));

/** Response of all engines. */
export const COUNTED = "counted 1";
const COUNT = "grep -c 'Count this'";

/** An agent's command that prints text for people, as a script that any POSIX shell runs. */
const AGENT = `if [ "$1" = whoami ]; then echo 'Authenticated with API key'; exit; fi
echo "counted $(echo "$*" | ${COUNT})"
echo '▸ Credits: 0.05 • Time: 2s' >&2
`;

/** A runtime's command. Its programs must exist in the environment. */
const OUTCOME = `{"schema":"homeboy/agent-task-outcome/v1","task_id":"%s","status":"succeeded","summary":"counted %s"}`;
const RUNTIME = `request=$(cat); id=$(echo "$request" | sed 's/.*"task_id":"\\([^"]*\\)".*/\\1/'); printf '${OUTCOME}' "$id" "$(echo "$request" | ${COUNT})"`;

/** An engine that the command can run. */
interface TaskEngine {
  readonly id: string;
  /** Arguments of `switchyard run`. */
  readonly args: readonly string[];
  /** Variables that it needs. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Created engines, and a function that stops them. */
export interface TaskEngines {
  /**
   * Returns the engines that run in an environment, given its name among the task's environments. Engines reach all
   * environments through one interface, so all of them run once in each environment that the README names. Of further
   * forms, such as an existing container, only an engine that is a command runs there, unless the contract is tested
   * whole.
   */
  runningIn(environment: string): readonly TaskEngine[];
  stop(): Promise<void>;
}

/** Simulated agent command in the project. */
export function createProject(project: string): void {
  writeFileSync(join(project, "agent.sh"), AGENT);
}

/** Makes one of each kind, with its files in a folder. */
export async function startTaskEngines(folder: string): Promise<TaskEngines> {
  const service = await startService();
  const http = { url: `${service.url}/v1/run` };
  const document = (engine: object): string => JSON.stringify({ engine });
  writeFileSync(join(folder, "service.yaml"), document({ name: "service", custom: { transport: "http", http } }));
  writeFileSync(join(folder, "adapter.yaml"), document({ name: "kiro", adapter: { command: ["sh", "./agent.sh"] } }));
  const runtime = join(folder, "config/switchyard/agent-runtimes/counter");
  mkdirSync(runtime, { recursive: true });
  const manifest = {
    ...{ schema: "homeboy/agent-runtime-manifest/v1", id: "counter" },
    agent_task_executors: [{ id: "counter.sh", backend: "counter", invocation: { argv: ["sh", "-c", RUNTIME] } }],
  };
  writeFileSync(join(runtime, "counter.json"), JSON.stringify(manifest));
  const engines: readonly TaskEngine[] = [
    { id: "command", args: ["--engine", join(import.meta.dirname, "counter-engine.yaml")], variables: {} },
    { id: "service", args: ["--engine", join(folder, "service.yaml")], variables: {} },
    {
      id: "adapter",
      args: ["--engine", join(folder, "adapter.yaml")],
      variables: { KIRO_API_KEY: "a-key-of-nobody-0123456789" },
    },
    {
      id: "runtime",
      args: ["--engine", "runtime:counter"],
      variables: { XDG_CONFIG_HOME: join(folder, "config") },
    },
  ];
  return {
    runningIn: (environment) => {
      const shown = TABLE.environments[environment];
      const named = TABLE.engines.filter(({ lacks }) => shown !== undefined && !lacks.includes(shown));
      const isFirst =
        Object.keys(TABLE.environments).find((name) => TABLE.environments[name] === shown) === environment;
      const runsAll = isFirst || process.env["ENVIRONMENT_CONTRACT"] === "whole";
      return engines.filter(({ id }) => named.some((one) => one.id === id) && (runsAll || id === "command"));
    },
    stop: service.stop,
  };
}

/** A service that counts as well, on a free loopback port. */
async function startService() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const count = Buffer.concat(chunks).toString("utf8").split("Count this").length - 1;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ exit_code: 0, final_message: `counted ${count}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
