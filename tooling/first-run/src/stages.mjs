// @ts-check

/**
 * Something that a newcomer does, and the text that describes it: a document, or some of its sections by heading. A
 * stage runs in the clone of this repository, or in a new folder.
 * @typedef {{ name: string, document: string, sections?: readonly string[], folder: "clone" | "new" }} Stage
 */

/** @type {readonly Stage[]} */
export const STAGES = [
  { name: "install", document: "README.md", sections: ["Install"], folder: "clone" },
  { name: "first run", document: "README.md", sections: ["First run"], folder: "new" },
  {
    name: "quick start",
    document: "docs/tutorials/quick-start.md",
    sections: ["1. Watch an agent work", "2. Choose a model", "3. Run a task", "4. Look at what happened"],
    folder: "new",
  },
  { name: "first evaluation", document: "docs/tutorials/compare-two-agents.md", folder: "new" },
  { name: "first CI job", document: "docs/tutorials/fix-a-bug-in-ci.md", folder: "new" },
  { name: "first server", document: "README.md", sections: ["Use it as a service"], folder: "new" },
  { name: "first service", document: "docs/tutorials/put-your-service-behind-the-contract.md", folder: "new" },
  {
    name: "first adapter",
    document: "docs/tutorials/write-an-adapter.md",
    sections: ["1. Create a package"],
    folder: "new",
  },
];
