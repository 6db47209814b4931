import { join } from "node:path";
import { expect, test } from "vitest";
import { ROLES } from "../guard/role.ts";
import { ACCESS } from "./access-table.ts";
import { OPERATIONS, OTHER_OPERATIONS } from "./operations.ts";

const PAGE = join(import.meta.dirname, "../../../../docs/reference/roles.md");

const NAMES = new Map<string, string>([
  ...[...OTHER_OPERATIONS, ...OPERATIONS].map(({ id, method, path }) => [id, `\`${method} ${path}\``] as const),
  ["readDashboard", "files of the dashboard"],
  ["answerQuestion", "answer to a question"],
  ["answerApproval", "answer to an approval request"],
]);

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Renders the reference page of the access table. */
function reference(): string {
  const header = ["Request", "Without a token", ...ROLES.map((role) => `\`${role}\``)];
  const rows = Object.entries(ACCESS).map(([id, access]) => {
    const isOpen = access === "everyone";
    return [
      NAMES.get(id) ?? id,
      isOpen ? "yes" : "",
      ...ROLES.map((role) => (isOpen || access.includes(role) ? "yes" : "")),
    ];
  });
  return `# Roles

<!-- Generated from apps/server/src/api/access-table.ts by \`pnpm --filter @switchyard/server exec vitest run access-table -u\`. -->

This table lists the roles that each route of \`switchyard serve\` requires. A caller with several roles may do what any of the roles allows.
Apart from the role, a caller must have the same owner as the run that a request names. Only the role \`admin\` allows access to runs of all
owners. [Control access to a server](../guides/access.md) explains owners, tokens and roles.

${[header, header.map(() => "---"), ...rows].map(line).join("\n")}

\`POST /v1/runs/{run_id}/answer\` takes answers to questions and to approval requests, which need different roles. A caller with only the role
\`runner\` cannot answer an approval request. A caller with only the role \`approver\` cannot answer a question.
`;
}

test("the reference of roles equals the access table", async () => {
  await expect(reference()).toMatchFileSnapshot(PAGE);
});

test("only callers with permission to answer questions or approval requests may use the route for answers", () => {
  const answering = new Set([...ACCESS.answerQuestion, ...ACCESS.answerApproval]);
  expect(new Set(ACCESS.answerRun)).toEqual(answering);
});
