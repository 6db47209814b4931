import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/** Engines that the README says run in every place, but for those that one lacks. */
interface EngineTable {
  /** Places of the task by the name that the README has for them. */
  readonly places: Readonly<Record<string, string>>;
  readonly engines: readonly {
    readonly id: string;
    readonly title: string;
    /** Places, by the README's name, that it cannot run in. */
    readonly lacks: readonly string[];
  }[];
}

const TABLE: EngineTable = JSON.parse(readFileSync(join(import.meta.dirname, "engines.json"), "utf8"));

/** What they all answer. */
export const COUNTED = "counted 1";
const COUNT = "grep -c 'Count this'";

/** An agent's command that prints text for people, as a script that any POSIX shell runs. */
const AGENT = `if [ "$1" = whoami ]; then echo 'Authenticated with API key'; exit; fi
echo "counted $(echo "$*" | ${COUNT})"
echo '▸ Credits: 0.05 • Time: 2s' >&2
`;

/** A runtime's command: its programs are whatever the place has. */
const OUTCOME = `{"schema":"homeboy/agent-task-outcome/v1","task_id":"%s","status":"succeeded","summary":"counted %s"}`;
const RUNTIME = `request=$(cat); id=$(echo "$request" | sed 's/.*"task_id":"\\([^"]*\\)".*/\\1/'); printf '${OUTCOME}' "$id" "$(echo "$request" | ${COUNT})"`;

/** An engine that the command can be told to run. */
interface TaskEngine {
  readonly id: string;
  /** Words behind `switchyard run`. */
  readonly words: readonly string[];
  /** Variables that it needs. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Engines that were made, and what ends them. */
export interface TaskEngines {
  /** Those that run in a place, by its name among the places of the task. */
  runningIn(place: string): readonly TaskEngine[];
  stop(): Promise<void>;
}

/** What stands in the project for an agent's command. */
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
    { id: "command", words: ["--engine", join(import.meta.dirname, "counter-engine.yaml")], variables: {} },
    { id: "service", words: ["--engine", join(folder, "service.yaml")], variables: {} },
    {
      id: "adapter",
      words: ["--engine", join(folder, "adapter.yaml")],
      variables: { KIRO_API_KEY: "a-key-of-nobody-0123456789" },
    },
    {
      id: "runtime",
      words: ["--engine", "runtime:counter"],
      variables: { XDG_CONFIG_HOME: join(folder, "config") },
    },
  ];
  return {
    runningIn: (place) => {
      const shown = TABLE.places[place];
      const named = TABLE.engines.filter(({ lacks }) => shown !== undefined && !lacks.includes(shown));
      return engines.filter(({ id }) => named.some((one) => one.id === id));
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
