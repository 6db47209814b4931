// @ts-check
import { ERROR_CODES, errorRow } from "@switchyard/contracts";
import { renderTable } from "./markdown-table.mjs";

/** Renders docs/reference/errors.md from the error table. @returns {string} */
export function errorReference() {
  const rows = ERROR_CODES.map((code) => {
    const { class: errorClass, retryable, httpStatus, exitCode, message, remedy } = errorRow(code);
    return [`\`${code}\``, errorClass, retryable ? "yes" : "no", String(httpStatus), String(exitCode), message, remedy];
  });
  return [
    "# Errors",
    "",
    "<!-- Generated from the error table in packages/contracts/src/errors by `pnpm docs:update`. -->",
    "",
    "Every failure has an error code, and every error code belongs to a class. The class of an error determines its HTTP status, its exit code, and whether a retry can help.",
    "",
    ...renderTable(["Code", "Class", "Retry", "HTTP", "Exit", "Message", "What to do"], rows),
    "",
  ].join("\n");
}
