// @ts-check
// Run in a package's folder: compares each entry point's API with etc/<entry>.api.md; `--update` writes the reports.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { reportOutcome } from "@switchyard/suite/result-line";
import { readManifest } from "./repository.mjs";

/** @import { ExtractorMessage } from "@microsoft/api-extractor" */

const folder = process.cwd();
const update = process.argv.includes("--update");
const temporary = join(folder, "node_modules/.cache/api");
for (const needed of [temporary, join(folder, "etc")]) mkdirSync(needed, { recursive: true });

const entries = typedEntryPoints(readManifest(folder).exports ?? {});
const compared = entries.map(([name, types]) => ({ name, ...compareReport(name, types) }));
const problems = compared.flatMap(({ name, messages, changed }) => [
  ...messages
    .filter((message) => !isSaidElsewhere(message, name))
    .map((message) => message.formatMessageWithLocation(folder)),
  ...(changed
    ? [`The API of ${name} is not what etc/${name}.api.md says. If that is meant: \`pnpm api:update\`.`]
    : []),
]);
reportOutcome({ problems, passed: problems.length === 0 ? entries.length : 0 });

/**
 * The entry points with types, as [report name, declaration file].
 * @param {Record<string, unknown>} exports
 * @returns {[string, string][]}
 */
function typedEntryPoints(exports) {
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target !== "object" || target === null || !("types" in target)) return [];
    const name = path === "." ? "index" : path.slice(2).replaceAll("/", "-");
    return [/** @type {[string, string]} */ ([name, join(folder, String(target.types))])];
  });
}

/**
 * @param {string} name
 * @param {string} declarations
 * @returns {{ messages: ExtractorMessage[], changed: boolean }}
 */
function compareReport(name, declarations) {
  /** @type {ExtractorMessage[]} */
  const messages = [];
  const { apiReportChanged } = Extractor.invoke(extractorConfig(name, declarations), {
    localBuild: update,
    messageCallback(message) {
      message.handled = true;
      const counts = message.logLevel === ExtractorLogLevel.Error || message.logLevel === ExtractorLogLevel.Warning;
      if (counts && !message.messageId.startsWith("console-api-report")) messages.push(message);
    },
  });
  return { messages, changed: apiReportChanged && !update };
}

/**
 * Two things need no words of their own: the literal that tells the members of a union apart, and a type that
 * another entry point of the package exports.
 * @param {ExtractorMessage} message
 * @param {string} name
 * @returns {boolean}
 */
function isSaidElsewhere(message, name) {
  if (message.messageId === "ae-undocumented") {
    const { sourceFilePath = "", sourceFileLine = 1 } = message;
    const line = readFileSync(sourceFilePath, "utf8").split("\n")[sourceFileLine - 1] ?? "";
    return /^\s*(readonly )?(type|kind|role): ["']/.test(line);
  }
  const [, symbol] = /^The symbol "(\w+)"/.exec(message.text) ?? [];
  if (message.messageId !== "ae-forgotten-export" || symbol === undefined) return false;
  const others = entries.filter(([other]) => other !== name);
  return others.some(([other]) => {
    const report = readFileSync(join(temporary, `${other}.api.md`), "utf8");
    return new RegExp(`^export .*\\b${symbol}\\b`, "m").test(report);
  });
}

/**
 * @param {string} name
 * @param {string} declarations
 * @returns {ExtractorConfig}
 */
function extractorConfig(name, declarations) {
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
        reportTempFolder: temporary,
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
