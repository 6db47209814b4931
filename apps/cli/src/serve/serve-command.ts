import { isIP } from "node:net";
import { TOOL_NAMES } from "@switchyard/settings";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import { addEnvironmentOptions, ENVIRONMENTS_HELP } from "../environment/environment-options.ts";
import {
  collectText,
  fieldOption,
  parseAge,
  parseCount,
  parseSeconds,
  parseWebSearch,
} from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { ServeOptions } from "./serve-options.ts";

const EPILOGUE = `
Examples:
  switchyard serve --engine ./engine.yaml
  switchyard serve --model anthropic/claude-sonnet-5-5 --env sandbox --port 8787
  switchyard serve --engine ./engine.yaml --host 0.0.0.0 --tokens tokens.txt
  switchyard serve --queue nats://127.0.0.1:4222/team

POST /v1/run accepts a SessionInput as JSON, or as form data with the field \`payload\` and uploads in the field \`files\`, and
responds with the SessionResult. POST /v1/runs queues a run; GET /openapi.json describes the whole API.
GET /livez, /readyz and /startupz are probes; /metrics serves Prometheus metrics. Each request is logged to standard error as
a line of JSON.

Each line of the --tokens file is a token of at least 16 characters, or sha256: followed by its hash. Optional fields
follow: owner=NAME and roles=viewer,runner,approver,admin,monitor. The --oidc file contains issuer, audience, and how claims
become owners and roles: docs/guides/access.md.

Ctrl-C or SIGTERM stops the runs cleanly and the server within 30 seconds; a second one stops them immediately.
\`switchyard resume\` continues stopped runs.`;

const DEFAULT_PORT = 8787;
const SIZES: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Adds the command `serve`. */
export function addServeCommand(program: Command, select: Select): void {
  const command = program
    .command("serve")
    .description("Serve an engine over HTTP. Clients run it with transport: http.")
    .option("--engine <name|file>", "engine to run: agent, or an engine configuration file", "agent")
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--base-url <url>", "base URL of the model's API, version prefix included")
    .option(
      "--api-key <key>",
      "API key to use instead of the environment variable; other users of this machine may see it",
    )
    .option(
      "--host <address>",
      "address to listen on; requires --tokens or --oidc unless it is loopback (default: 127.0.0.1)",
    )
    .addOption(new Option("--port <port>", "port to listen on, 0 for any").argParser(parsePort).default(DEFAULT_PORT))
    .option("--tokens <file>", "file with one caller token per line, readable only by you")
    .option("--oidc <file>", "accept tokens of the OpenID Connect provider that a YAML or JSON file describes")
    .option("--audit-log <file>", "append a line of JSON about every request that needs a token to this private file")
    .option("--allow-host <name>", "host name that callers may use for the server; repeatable", collectHost)
    .option("--max-connections <count>", "maximum number of connections (default: 1000)", parsePositive)
    .option(
      "--trust-proxy <address>",
      "address or network of a reverse proxy whose X-Forwarded-For is trusted; repeatable",
      collectText,
    );
  addRunLimits(command)
    .option(
      "-w, --workspace <folder>",
      "one folder for all runs, which then run one at a time (default: a new folder for each)",
    )
    .option("--timeout <time>", "maximum time limit of a run, whatever it requests, such as 5m or 1h", parseSeconds)
    .option("--reasoning-effort <effort>", "low, medium, high, or another value that the provider accepts")
    .option("--direct", "let the engine call models with the API key instead of through the model gateway")
    .option("--web", "allow the agent to fetch public web pages")
    .option(
      "--web-search <backend>",
      "allow the agent to search the web with brave, tavily or searxng:URL",
      parseWebSearch,
    )
    .option("--mcp-config <file>", "give the agent the tools of the MCP servers in a JSON file")
    .addOption(fieldOption("mcpStartWaitMs", "maximum time to wait for MCP servers before a run starts (default: 30s)"))
    .addOption(new Option("--tool-names <names>", "tool names that the model sees").choices(TOOL_NAMES));
  addEnvironmentOptions(command);
  addApprovalOptions(command, { canAsk: false })
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .option("--budgets <file>", BUDGETS_HELP)
    .addHelpText("after", `${ENVIRONMENTS_HELP}\n${EPILOGUE}`)
    .action((options: ServeOptions) => {
      select({
        printsJson: false,
        execute: async (context) => (await import("./execute-serve.ts")).executeServe(context, options),
      });
    });
}

function addRunLimits(command: Command): Command {
  return command
    .option(
      "--concurrency <count>",
      "maximum number of concurrent runs (default: 4, or 1 with --workspace)",
      parsePositive,
    )
    .option("--queue <url>", "let the workers of this queue execute the runs: nats://HOST:PORT/NAME")
    .option("--owners <file>", "YAML file with the weights and limits of owners; read again when it changes")
    .option("--max-runs-per-owner <count>", "maximum number of concurrent runs of one owner", parsePositive)
    .option("--max-runs-per-day <count>", "maximum number of runs of one owner that start on one day", parsePositive)
    .option("--max-queue <count>", "maximum number of queued runs (default: 1000)", parsePositive)
    .option("--max-queue-per-owner <count>", "maximum number of queued runs of one owner (default: 100)", parsePositive)
    .option(
      "--rate-limit <count>",
      "maximum requests per minute and caller (default: 60 with --tokens or --oidc)",
      parsePositive,
    )
    .option("--resume-on-start", "resume the runs that an earlier server left unfinished")
    .option(
      "--keep <time>",
      "delete callers' runs this long after their end, such as 12h or 30d (default: never)",
      parseAge,
    )
    .option(
      "--keep-runs <count>",
      "maximum number of callers' ended runs to keep, newest first (default: all)",
      parsePositive,
    )
    .option("--keep-size <size>", "maximum total size of callers' ended runs to keep, such as 512m or 20g", parseSize)
    .option(
      "--webhook-secret <file>",
      "call the webhooks of callers when runs end, signed with the secret in this file",
    )
    .option("--webhook-private", "allow webhooks to this machine and to private networks")
    .option("--max-body <size>", "maximum size of a request, such as 512k or 256m (default: 64m)", parseSize);
}

/** Validates a host name. Rejects names with a scheme or a port, because no Host header would match them. */
function collectHost(text: string, hosts?: readonly string[]): string[] {
  if (!/^[\w.-]+$/.test(text) && isIP(text) === 0) {
    throw new InvalidArgumentError("Write only a host name, such as agents.example.org, without https:// and port.");
  }
  return collectText(text, hosts);
}

function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535) throw new InvalidArgumentError("Write a port from 0 to 65535.");
  return port;
}

function parsePositive(text: string): number {
  const count = parseCount(text);
  if (count < 1) throw new InvalidArgumentError("Write a whole number, 1 or more.");
  return count;
}

function parseSize(text: string): number {
  const [, digits = "", unit = ""] = /^([1-9]\d{0,8})([kmg])$/iu.exec(text) ?? [];
  const factor = SIZES[unit.toLowerCase()];
  if (factor === undefined) throw new InvalidArgumentError("Write a size such as 512k, 256m or 1g.");
  return Number(digits) * factor;
}
