// @ts-check
import { EXIT_CODES } from "@switchyard/contracts";
import { renderTable } from "./markdown-table.mjs";

/** Renders docs/reference/exit-codes.md from the table of exit codes. @returns {string} */
export function exitCodeReference() {
  const rows = EXIT_CODES.map(({ code, name, meaning, next }) => [String(code), name, meaning, next]);
  return [
    "# Exit codes",
    "",
    "<!-- Generated from the table in packages/contracts/src/errors/exit-codes.ts by `pnpm docs:update`. -->",
    "",
    "Every `switchyard` command ends with one of the exit codes in this table, which have the same meaning for all commands.",
    "",
    ...renderTable(["Exit code", "Name", "Means", "What to do"], rows),
    "",
    "A command that started work never ends with exit code 2, and a command whose output was lost never ends with exit code 0. A command that only shows",
    "data, such as `runs list`, ends with exit code 2 if its output goes to a full disk, and with 0 if the reader of its output closes the pipe",
    "early, as in `switchyard runs list | head`.",
    "",
    "The command `runtimes exec` prints one outcome and ends with exit code 0, even if the outcome reports a failure, because the contract of runtime packages requires this.",
    "The [error table](errors.md) lists the exit code of each error.",
    "",
  ].join("\n");
}
