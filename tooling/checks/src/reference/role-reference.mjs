// @ts-check
import { ACCESS, openApiDocument, ROLES } from "@switchyard/server";
import { renderTable } from "./markdown-table.mjs";

/** Names of the actions and routes that are not operations of the API. @type {ReadonlyMap<string, string>} */
const OTHER_NAMES = new Map([
  ["readDashboard", "files of the dashboard"],
  ["answerQuestion", "answer to a question"],
  ["answerApproval", "answer to an approval request"],
]);

/** Renders docs/reference/roles.md from the access table of the server. @returns {string} */
export function roleReference() {
  const names = new Map([...OTHER_NAMES, ...operationNames()]);
  const rows = Object.entries(ACCESS).map(([id, access]) => {
    const cells =
      access === "everyone" ? ROLES.map(() => "yes") : ROLES.map((role) => (access.includes(role) ? "yes" : ""));
    return [names.get(id) ?? id, access === "everyone" ? "yes" : "", ...cells];
  });
  return [
    "# Roles",
    "",
    "<!-- Generated from the table in apps/server/src/api/access-table.ts by `pnpm docs:update`. -->",
    "",
    "This table lists the roles that each route of `switchyard serve` requires. A caller with several roles may do what any of the roles allows.",
    "Apart from the role, a caller must have the same owner as the run that a request names. Only the role `admin` allows access to runs of all",
    "owners. [Control access to a server](../guides/access.md) explains owners, tokens and roles.",
    "",
    ...renderTable(["Request", "Without a token", ...ROLES.map((role) => `\`${role}\``)], rows),
    "",
    "`POST /v1/runs/{run_id}/answer` takes answers to questions and to approval requests, which need different roles. A caller",
    "with only the role `runner` cannot answer an approval request. A caller with only the role `approver` cannot answer a question.",
    "",
  ].join("\n");
}

/** Returns the method and path of each operation, by its id. @returns {[string, string][]} */
function operationNames() {
  const { paths } = openApiDocument("1");
  return Object.entries(toRecord(paths)).flatMap(([path, methods]) =>
    Object.entries(toRecord(methods)).map(([method, operation]) => {
      /** @type {[string, string]} */
      const named = [String(toRecord(operation)["operationId"]), `\`${method.toUpperCase()} ${path}\``];
      return named;
    }),
  );
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function toRecord(value) {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
