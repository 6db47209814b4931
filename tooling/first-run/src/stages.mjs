// @ts-check

/**
 * Something that a newcomer does, and the text that says how: the sections of a document, by heading. Each stage starts in
 * the folder in which the previous one ended, unless `folder` is `new`.
 * @typedef {{ name: string, document: string, sections: readonly string[], folder: "same" | "new" }} Stage
 */

/** @type {readonly Stage[]} */
export const STAGES = [
  { name: "install", document: "README.md", sections: ["Install"], folder: "same" },
  { name: "first run", document: "README.md", sections: ["First run"], folder: "new" },
  {
    name: "quick start",
    document: "docs/tutorials/quick-start.md",
    sections: ["1. Watch an agent work", "2. Choose a model", "3. Run a task", "4. Look at what happened"],
    folder: "new",
  },
  { name: "first server", document: "README.md", sections: ["Use it as a service"], folder: "new" },
  {
    name: "first adapter",
    document: "docs/tutorials/write-an-adapter.md",
    sections: ["1. Create a package"],
    folder: "new",
  },
];
