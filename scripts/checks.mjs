// @ts-check

/**
 * One check: the turbo tasks it consists of, wherever they are found, and what it proves.
 * @typedef {{ name: string, tasks: readonly string[], proves: string }} Check
 */

/**
 * The one list of checks: `npm test` and `pnpm verify` are this list.
 * @type {readonly Check[]}
 */
export const CHECKS = [
  { name: "lint", tasks: ["check:lint"], proves: "format, rules, size limits, import cycles" },
  { name: "types", tasks: ["build", "check:types"], proves: "sources build, tests and scripts type-check" },
  { name: "boundaries", tasks: ["check:boundaries"], proves: "packages import only what the DAG allows" },
  { name: "unused", tasks: ["check:unused"], proves: "no unused file, export or dependency" },
  { name: "tests", tasks: ["test"], proves: "behaviour, from source" },
];
