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
    "Every command ends with one of these exit codes. Each has the same meaning for all commands.",
    "",
    ...renderTable(["Exit code", "Name", "Means", "What to do"], rows),
    "",
    "A command that started work never ends with 2, and one whose output was lost never ends with 0. A command that only shows",
    "something, such as `runs list`, has no work to lose: it ends with 2 on a full disk, and with 0 when its reader closes the pipe",
    "early, as in `switchyard runs list | head`.",
    "",
    "`runtimes exec` prints one outcome and ends with 0 whatever the outcome says, as its contract demands. The exit code that",
    "belongs to an error is in the [error table](errors.md).",
    "",
  ].join("\n");
}
