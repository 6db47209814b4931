import { isIP } from "node:net";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { addEnvironmentOptions, ENVIRONMENTS_HELP } from "../environment/environment-options.ts";
import { TOOL_NAMES } from "../model/tool-names.ts";
import { parseWebSearch } from "../model/web-search.ts";
import { collectText, parseAge, parseCount, parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { ServeOptions } from "./serve-options.ts";

const EPILOGUE = `
Examples:
  switchyard serve --engine ./engine.yaml
  switchyard serve --model anthropic/claude-sonnet-5-5 --env sandbox --port 8787
  switchyard serve --engine ./engine.yaml --host 0.0.0.0 --tokens tokens.txt

POST /v1/run takes a SessionInput as JSON, or as the part \`payload\` of a form with files as parts \`files\`, and answers
with the SessionResult. POST /v1/runs accepts a run for later; GET /openapi.json describes what can be done with it.
GET /livez, /readyz and /startupz are probes, /metrics is for Prometheus. Every request is a line of JSON on standard error.
A token is a line of 16 characters or more, or sha256: and its hash; owner=NAME and scopes=read,run,admin,metrics may follow. Ctrl-C or SIGTERM stops the runs cleanly and ends
the server within 30 seconds, twice stops them at once; \`switchyard resume\` goes on with what was stopped.`;

const DEFAULT_PORT = 8787;
const SIZES: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Adds the command `serve`. */
export function addServeCommand(program: Command, select: Select): void {
  const command = program
    .command("serve")
    .description("Serve an engine over HTTP, as others run it with transport: http.")
    .option("--engine <name|file>", "engine to run: agent, or a file that describes one of your own", "agent")
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--base-url <url>", "address of the model's API, used as it is, version prefix included")
    .option("--api-key <key>", "key in place of those of the environment; others on this machine may see it")
    .option("--host <address>", "address to listen on; beyond loopback --tokens are needed (default: 127.0.0.1)")
    .addOption(new Option("--port <port>", "port to listen on, 0 for any").argParser(parsePort).default(DEFAULT_PORT))
    .option("--tokens <file>", "file with the tokens of callers, one a line, readable by you alone")
    .option("--allow-host <name>", "a name callers may address the server by; can be repeated", collectHost)
    .option("--max-connections <count>", "maximum number of connections (default: 1000)", parsePositive)
    .option(
      "--trust-proxy <address>",
      "address or network of your reverse proxy, whose X-Forwarded-For names clients; can be repeated",
      collectText,
    )
    .option("--concurrency <count>", "most runs at once (default: 4, or 1 with --workspace)", parsePositive)
    .option("--max-queue <count>", "most runs that wait for their turn (default: 1000)", parsePositive)
    .option("--rate-limit <count>", "requests a minute of one caller (default: 60 with --tokens)", parsePositive)
    .option("--resume-on-start", "go on with the runs that were cut off or stopped with an earlier server")
    .option("--keep <time>", "remove runs of callers that ended longer ago: 12h, 30d (default: never)", parseAge)
    .option(
      "--keep-runs <count>",
      "keep so many runs of callers that are over, the newest (default: all)",
      parsePositive,
    )
    .option("--keep-size <size>", "keep runs of callers that are over up to such a size together: 512m, 20g", parseSize)
    .option("--webhook-secret <file>", "tell the addresses that callers name of the ends of runs, signed with this")
    .option("--webhook-private", "let webhooks lead to this machine and to private networks")
    .option("--max-body <size>", "most bytes of a request, such as 512k or 256m (default: 64m)", parseSize)
    .option("-w, --workspace <folder>", "one folder for all runs, one after the other (default: a new one for each)")
    .option("--timeout <time>", "stop runs after so many seconds (or 5m, 1h), whatever they ask for", parseSeconds)
    .option("--reasoning-effort <effort>", "low, medium, high, or what the provider offers beyond")
    .option("--web", "let the agent fetch pages of the public web")
    .option("--web-search <backend>", "let the agent search the web: brave, tavily, searxng:URL", parseWebSearch)
    .option("--mcp-config <file>", "offer the agent the tools of the MCP servers in a JSON file")
    .option("--mcp-wait <time>", "wait so long for MCP servers before a run starts (default: 30s)", parseSeconds)
    .addOption(new Option("--tool-names <whose>", "names the model knows the tools by").choices(TOOL_NAMES));
  addEnvironmentOptions(command);
  addApprovalOptions(command, { canAsk: false })
    .option("--state <folder>", "folder for run folders (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .addHelpText("after", `${ENVIRONMENTS_HELP}\n${EPILOGUE}`)
    .action((options: ServeOptions) => {
      select({
        printsJson: false,
        execute: async (context) => (await import("./execute-serve.ts")).executeServe(context, options),
      });
    });
}

/** A name with a scheme or a port behind it would be that of no caller. */
function collectHost(text: string, hosts?: readonly string[]): string[] {
  if (!/^[\w.-]+$/.test(text) && isIP(text) === 0) {
    throw new InvalidArgumentError("Write a name alone, such as agents.example.org, without https:// and port.");
  }
  return collectText(text, hosts);
}

function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535) throw new InvalidArgumentError("Write a port up to 65535.");
  return port;
}

function parsePositive(text: string): number {
  const count = parseCount(text);
  if (count < 1) throw new InvalidArgumentError("Write a whole number from 1.");
  return count;
}

function parseSize(text: string): number {
  const [, digits = "", unit = ""] = /^([1-9]\d{0,8})([kmg])$/iu.exec(text) ?? [];
  const factor = SIZES[unit.toLowerCase()];
  if (factor === undefined) throw new InvalidArgumentError("Write a size such as 512k, 256m or 1g.");
  return Number(digits) * factor;
}
