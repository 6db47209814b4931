// @ts-check

/** @import { Check } from "../tooling/checks/src/verify/check-outcome.mjs" */

/**
 * List of all checks. `npm test` and `pnpm verify` run the checks in this list.
 * @type {readonly Check[]}
 */
export const CHECKS = [
  { name: "lint", tasks: ["check:lint"], proves: "format, rules, size limits, import cycles" },
  { name: "types", tasks: ["build", "check:types"], proves: "sources build; tests and scripts type-check" },
  { name: "boundaries", tasks: ["check:boundaries"], proves: "packages import only what the DAG allows" },
  { name: "unused", tasks: ["check:unused"], proves: "no unused file, export or dependency" },
  {
    name: "pack",
    tasks: ["check:pack", "check:tarball", "check:new-packages"],
    proves: "every tarball installs, loads and does what its README shows; new packages pass their tests at once",
  },
  { name: "api", tasks: ["check:apis"], proves: "public API is documented and as its report says" },
  {
    name: "docs",
    tasks: ["check:docs", "check:links", "check:engine-map"],
    proves:
      "code blocks type-check, and run where marked; links lead to files and headings; the engine map is complete",
  },
  {
    name: "errors",
    tasks: ["check:errors"],
    proves: "error, event and provider references equal their tables; plain wording",
  },
  { name: "schemas", tasks: ["check:schemas"], proves: "JSON Schemas equal the zod schemas; examples validate" },
  {
    name: "requirements",
    tasks: ["check:requirements", "check:conformance"],
    proves: "tests cite known requirements, and all that are enforced; the conformance page names them",
  },
  { name: "budgets", tasks: ["check:budgets"], proves: "dependencies, tarballs, files and functions stay small" },
  { name: "tests", tasks: ["test"], proves: "behaviour, from source" },
  { name: "environments", tasks: ["test:task"], proves: "the command does one task in every environment" },
  { name: "examples", tasks: ["start"], proves: "every example runs" },
];

/**
 * The tasks that take minutes, longest first. They start before all others, so that none of them runs alone at the end.
 * Tasks that mostly wait, for containers or for leases to expire, are not the last, because they would leave processors
 * idle.
 * @type {readonly string[]}
 */
export const LONGEST_TASKS = [
  "@switchyard/cli#test",
  "@switchyard/environment#test",
  "@switchyard/server#test",
  "@switchyard/agent#test",
  "@switchyard/runner#test",
  "@switchyard/stores#test",
  "@switchyard/docs-site#test",
  "@switchyard/custom-engine#test",
  "@switchyard/environment#test:task",
  "@switchyard/deep#test",
  "@switchyard/evaluation#test",
];
