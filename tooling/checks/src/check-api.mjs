// @ts-check
// Run in a package's folder: compares each entry point's API with etc/<entry>.api.md; `--update` writes the reports.
// With `--all`: the same for every published package, whose declarations are read once for all of them.
import { mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { reportOutcome } from "@switchyard/suite/result-line";
import { publishedPackages, ROOT, readManifest } from "./repository.mjs";

/** @import { ExtractorMessage } from "@microsoft/api-extractor" */

/**
 * A typed entry point: folder of its package, name of its report, and declaration file.
 * @typedef {{ folder: string, name: string, declarations: string }} EntryPoint
 */

const update = process.argv.includes("--update");
const folders = process.argv.includes("--all") ? publishedPackages().map(({ folder }) => folder) : [process.cwd()];
const entries = folders.flatMap(typedEntryPoints);
for (const { folder } of entries) {
  for (const needed of [temporaryOf(folder), join(folder, "etc")]) mkdirSync(needed, { recursive: true });
}
const [first] = entries;
const compilerState =
  first === undefined
    ? undefined
    : CompilerState.create(extractorConfig(first), {
        additionalEntryPoints: entries.map(({ declarations }) => declarations),
      });
const compared = entries.map((entry) => ({ entry, ...compareReport(entry) }));
const problems = compared.flatMap(({ entry, messages, changed }) => {
  const report = relative(folders.length > 1 ? ROOT : entry.folder, join(entry.folder, `etc/${entry.name}.api.md`));
  return [
    ...messages
      .filter((message) => !isSaidElsewhere(message, entry))
      .map((message) => message.formatMessageWithLocation(folders.length > 1 ? ROOT : entry.folder)),
    ...(changed ? [`The API of ${entry.name} is not what ${report} says. If that is meant: \`pnpm api:update\`.`] : []),
  ];
});
reportOutcome({ problems, passed: problems.length === 0 ? entries.length : 0 });

/**
 * @param {string} folder
 * @returns {EntryPoint[]}
 */
function typedEntryPoints(folder) {
  return Object.entries(readManifest(folder).exports ?? {}).flatMap(([path, target]) => {
    if (typeof target !== "object" || target === null || !("types" in target)) return [];
    const name = path === "." ? "index" : path.slice(2).replaceAll("/", "-");
    return [{ folder, name, declarations: join(folder, String(target.types)) }];
  });
}

/**
 * Returns the folder in which reports are written before comparison.
 * @param {string} folder
 * @returns {string}
 */
function temporaryOf(folder) {
  return join(folder, "node_modules/.cache/api");
}

/**
 * @param {EntryPoint} entry
 * @returns {{ messages: ExtractorMessage[], changed: boolean }}
 */
function compareReport(entry) {
  /** @type {ExtractorMessage[]} */
  const messages = [];
  const { apiReportChanged } = Extractor.invoke(extractorConfig(entry), {
    localBuild: update,
    ...(compilerState === undefined ? {} : { compilerState }),
    messageCallback(message) {
      message.handled = true;
      const counts = message.logLevel === ExtractorLogLevel.Error || message.logLevel === ExtractorLogLevel.Warning;
      if (counts && !message.messageId.startsWith("console-api-report")) messages.push(message);
    },
  });
  return { messages, changed: apiReportChanged && !update };
}

/**
 * Returns whether a message about missing documentation is ignored: for discriminants of unions, and for types
 * documented by another entry point of the package.
 * @param {ExtractorMessage} message
 * @param {EntryPoint} entry
 * @returns {boolean}
 */
function isSaidElsewhere(message, entry) {
  if (message.messageId === "ae-undocumented") {
    const { sourceFilePath = "", sourceFileLine = 1 } = message;
    const line = readFileSync(sourceFilePath, "utf8").split("\n")[sourceFileLine - 1] ?? "";
    return /^\s*(readonly )?(type|kind|role): ["']/.test(line);
  }
  const [, symbol] = /^The symbol "(\w+)"/.exec(message.text) ?? [];
  if (message.messageId !== "ae-forgotten-export" || symbol === undefined) return false;
  const others = entries.filter(({ folder, name }) => folder === entry.folder && name !== entry.name);
  return others.some(({ folder, name }) => {
    const report = readFileSync(join(temporaryOf(folder), `${name}.api.md`), "utf8");
    return new RegExp(`^export .*\\b${symbol}\\b`, "m").test(report);
  });
}

/**
 * @param {EntryPoint} entry
 * @returns {ExtractorConfig}
 */
function extractorConfig({ folder, name, declarations }) {
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
  };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declarations,
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(folder, "etc"),
        reportTempFolder: temporaryOf(folder),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          "ae-missing-release-tag": { logLevel: ExtractorLogLevel.None },
          "ae-undocumented": { logLevel: ExtractorLogLevel.Error, addToApiReportFile: false },
          "ae-forgotten-export": { logLevel: ExtractorLogLevel.Error, addToApiReportFile: false },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      },
    },
  });
}
