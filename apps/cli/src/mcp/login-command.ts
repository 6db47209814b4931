import type { Command } from "commander";
import { parseCount, parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import type { LoginCommandOptions } from "./login-options.ts";

const LOGIN_EPILOGUE = `
Prints the page to open; afterwards the browser redirects to this machine. The credentials are stored in
~/.config/switchyard/mcp-sign-ins.json, which only you can read. Later runs use them.

Examples:
  switchyard mcp login tracker --mcp-config mcp.json
  ssh -L 7777:127.0.0.1:7777 host switchyard mcp login tracker --mcp-config mcp.json --port 7777`;

/** Adds the commands `mcp login` and `mcp logout`. */
export function addLoginCommands(mcp: Command, select: Select): void {
  mcp
    .command("login")
    .description("Log in to an MCP server. Later runs use the login.")
    .argument("<name>", "name of the server in the file")
    .option("--mcp-config <file>", "file that configures the MCP servers")
    .option("--wait <time>", "maximum time to wait for the browser, such as 5m", parseSeconds, 300)
    .option("--port <port>", "loopback port that the browser redirects to (default: a free one)", parseCount)
    .addHelpText("after", LOGIN_EPILOGUE)
    .action((name: string, _: unknown, command: Command) => {
      const options: LoginCommandOptions = command.optsWithGlobals();
      select(async (context) => (await import("./login.ts")).login(context, name, options));
    });
  mcp
    .command("logout")
    .description("Log out of an MCP server and delete the stored credentials.")
    .argument("<name>", "name of the server in the file")
    .option("--mcp-config <file>", "file that configures the MCP servers")
    .action((name: string, _: unknown, command: Command) => {
      const options: LoginCommandOptions = command.optsWithGlobals();
      select(async (context) => (await import("./login.ts")).logout(context, name, options));
    });
}
