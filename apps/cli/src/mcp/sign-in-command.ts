import type { Command } from "commander";
import { parseCount, parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import type { SignInCommandOptions } from "./sign-in-options.ts";

const LOGIN_EPILOGUE = `
The page to open is printed; the browser comes back to this machine. What comes of it is kept in
~/.config/switchyard/mcp-sign-ins.json, which only you can read, and every run uses it from then on.

Examples:
  switchyard mcp login tracker --mcp-config mcp.json
  ssh -L 7777:127.0.0.1:7777 host switchyard mcp login tracker --mcp-config mcp.json --port 7777`;

/** Adds the commands `mcp login` and `mcp logout`. */
export function addSignInCommands(mcp: Command, select: Select): void {
  mcp
    .command("login")
    .description("Sign in to an MCP server of a file, for the runs to come.")
    .argument("<name>", "name of the server in the file")
    .option("--mcp-config <file>", "the file with the MCP servers")
    .option("--wait <time>", "give up after so many seconds (or 5m)", parseSeconds, 300)
    .option("--port <port>", "port on loopback that the browser comes back to (default: a free one)", parseCount)
    .addHelpText("after", LOGIN_EPILOGUE)
    .action((name: string, _: unknown, command: Command) => {
      const options: SignInCommandOptions = command.optsWithGlobals();
      select({
        printsJson: false,
        execute: async (context) => (await import("./sign-in.ts")).signIn(context, name, options),
      });
    });
  mcp
    .command("logout")
    .description("Forget the sign-in to an MCP server of a file.")
    .argument("<name>", "name of the server in the file")
    .option("--mcp-config <file>", "the file with the MCP servers")
    .action((name: string, _: unknown, command: Command) => {
      const options: SignInCommandOptions = command.optsWithGlobals();
      select({
        printsJson: false,
        execute: async (context) => (await import("./sign-in.ts")).signOut(context, name, options),
      });
    });
}
