// @ts-check
import { loadFromSource } from "@switchyard/suite/load-from-source";
import { ROOT } from "../repository.mjs";
import { renderTable } from "./markdown-table.mjs";

const LLM = new URL(`file://${ROOT}/packages/llm/`);

/**
 * One section of the page, from one or more modules of packages/llm.
 * @typedef {object} Section
 * @property {string} title
 * @property {string} about
 * @property {readonly string[]} modules paths below packages/llm/src
 * @property {(tables: Record<string, any>) => string[]} render gets the exports of all the modules
 */

/** @param {unknown} value */
const code = (value) => `\`${String(value).replaceAll("`", "'").replaceAll(/\s+/g, " ")}\``;

/** Converts the addresses in a row's source to links. @param {string} source */
const link = (source) => source.replaceAll(/https:\/\/[^\s;()]+/g, (address) => `<${address}>`);

/** @type {Record<string, (row: any) => string>} */
const MEANING = {
  stop: () => "the response is complete",
  length: () => "the response was cut off at a limit; the agent asks the model to continue",
  tool_calls: () => "the response contains tool calls",
  content_filter: () => "a content filter withheld the response; the run ends",
  error: ({ problem, keepsCalls }) =>
    `the response failed and is retried: ${problem}${keepsCalls ? "; complete tool calls are executed" : ""}`,
  other: ({ isPaused }) =>
    isPaused ? "the response was paused; the agent continues it" : "the response is neither complete nor failed",
};

/** @param {unknown} value */
function ruleValue(value) {
  if (value === undefined) return "any";
  if (Array.isArray(value)) return value.map(code).join(", ");
  return code(value);
}

/** @param {Record<string, any>} rules */
function ruleRows(rules) {
  return Object.entries(rules).flatMap(([name, rule]) =>
    name === "target" ? [] : [[name, ruleValue(rule.value), link(rule.source)]],
  );
}

/** Tables of the page. A new table is added here; every row of a table has a `source`. @type {readonly Section[]} */
const SECTIONS = [
  {
    title: "Finish reasons",
    about:
      "These tables show how Switchyard interprets the finish reasons that providers document. Upper and lower case are not distinguished.",
    modules: ["finish-reason/finish-reason-table.ts"],
    render: ({ FINISH_REASONS }) =>
      Object.entries(FINISH_REASONS).flatMap(([family, rows]) => [
        `### ${family}`,
        "",
        ...renderTable(
          ["Finish reason", "Unified finish reason", "What it means for a run", "Source"],
          rows.map((/** @type {any} */ row) => [
            code(row.raw),
            code(row.unified),
            MEANING[row.unified]?.(row) ?? "",
            link(row.source),
          ]),
        ),
        "",
      ]),
  },
  {
    title: "Context overflow",
    about:
      "This table lists error messages which mean that a request is longer than the model's context window. After such an error, the agent shortens the conversation and calls the model again. The column Status names the responses in which the client looks for the error message. The value `rejection` means a response with status 400, 413 or 422. The value `any` also includes responses with status 5xx and errors inside a stream.",
    modules: ["failure/overflow-wordings.ts"],
    render: ({ OVERFLOW_WORDINGS }) => [
      ...renderTable(
        ["Server", "Status", "Host", "Example", "Source"],
        OVERFLOW_WORDINGS.map((/** @type {any} */ { server, status, host, example, source }) => [
          server,
          code(status),
          host === undefined ? "any" : code(host.source),
          code(example),
          link(source),
        ]),
      ),
      "",
    ],
  },
  {
    title: "Errors that only look like context overflow",
    about:
      "This table lists error messages that resemble messages about a full context window but have another meaning. After such an error, the agent does not shorten the conversation.",
    modules: ["failure/overflow-wordings.ts"],
    render: ({ OVERFLOW_LOOKALIKES }) => [
      ...renderTable(
        ["Meaning", "Example", "Source"],
        OVERFLOW_LOOKALIKES.map((/** @type {any} */ row) => [row.about, code(row.example), link(row.source)]),
      ),
      "",
    ],
  },
  {
    title: "Output limits",
    about:
      "This table lists error messages that contain the largest `max_tokens` that the model allows. If a call fails with one of these messages, the wrapper `withRetry` repeats the call once with the `max_tokens` from the message.",
    modules: ["failure/output-limit.ts"],
    render: ({ OUTPUT_LIMIT_WORDINGS }) => [
      ...renderTable(
        ["Server", "Example", "Source"],
        OUTPUT_LIMIT_WORDINGS.map((/** @type {any} */ { server, example, source }) => [
          server,
          code(example),
          link(source),
        ]),
      ),
      "",
    ],
  },
  {
    title: "Tool schemas",
    about:
      "These tables show which parts of JSON Schema each provider's API accepts in the parameters of a tool. Switchyard converts the schemas of tools by these rules, but validates the arguments of tool calls against the original schema.",
    modules: ["projection/schema-rule-tables.ts"],
    render: (tables) =>
      Object.values(tables)
        .filter((rules) => typeof rules === "object" && rules !== null && "target" in rules)
        .flatMap((rules) => [
          `### ${rules.target}`,
          "",
          ...renderTable(["Rule", "Value", "Source"], ruleRows(rules)),
          "",
        ]),
  },
  {
    title: "Lists of models",
    about: "This table lists the requests with which `switchyard models` gets the list of a provider's models.",
    modules: ["anthropic/model-list.ts", "gemini/model-list.ts", "openai/model-list.ts"],
    render: ({ ANTHROPIC_MODELS, GEMINI_MODELS, OPENAI_MODELS }) => [
      ...renderTable(
        ["Provider", "Request", "Source"],
        [
          ["Anthropic", ANTHROPIC_MODELS],
          ["Gemini", GEMINI_MODELS],
          ["OpenAI and compatible servers", OPENAI_MODELS],
        ].map(([name, list]) => {
          const query = list.query(undefined);
          return [name, code(`GET <base URL>/models${query === "" ? "" : `?${query}`}`), link(list.source)];
        }),
      ),
      "",
    ],
  },
  {
    title: "Default models",
    about:
      "This table lists the models that the built-in agent uses if you do not choose a model, with their list prices in US dollars per million tokens. A default model is a current model, but never the provider's most expensive model.",
    modules: ["catalog/model-catalog.ts"],
    render: ({ MODEL_CATALOG, DEFAULT_MODELS }) => [
      ...renderTable(
        ["Provider", "Default model", "Input price", "Output price", "Most expensive model of the provider"],
        Object.entries(DEFAULT_MODELS).map(([provider, chosen]) => {
          const models = MODEL_CATALOG.filter((/** @type {any} */ model) => model.provider === provider);
          const { prices } = models.find((/** @type {any} */ { id }) => id === chosen);
          const dearest = models.reduce((/** @type {any} */ most, /** @type {any} */ model) =>
            (model.prices?.output ?? 0) > (most.prices?.output ?? 0) ? model : most,
          );
          const most = `${code(`${provider}/${dearest.id}`)}, $${dearest.prices.output} out`;
          return [provider, code(`${provider}/${chosen}`), `$${prices.input}`, `$${prices.output}`, most];
        }),
      ),
      "",
    ],
  },
  {
    title: "Models and prices",
    about:
      "This table lists known models and their list prices, in US dollars per million tokens at the standard tier. The default model of each provider is printed in bold.",
    modules: ["catalog/model-catalog.ts"],
    render: ({ MODEL_CATALOG, DEFAULT_MODELS }) => [
      ...renderTable(
        [
          "Model",
          "Context window",
          "Output limit",
          "Input price",
          "Cached input price",
          "Output price",
          "Date of the price",
          "Source",
        ],
        MODEL_CATALOG.map((/** @type {any} */ { provider, id, contextWindow, maxOutput, prices = {} }) => {
          const name = code(`${provider}/${id}`);
          const last = prices.until === undefined ? "" : `, until ${prices.until}`;
          return [
            DEFAULT_MODELS[provider] === id ? `**${name}**` : name,
            ...[contextWindow, maxOutput].map((count) => count.toLocaleString("en-US")),
            ...[prices.input, prices.cacheRead, prices.output].map((price) => (price === undefined ? "" : `$${price}`)),
            `${prices.asOf ?? ""}${last}`,
            link(prices.source ?? ""),
          ];
        }),
      ),
      "",
    ],
  },
];

/** @param {Section} section */
async function render({ title, about, modules, render: lines }) {
  const loaded = await Promise.all(modules.map((path) => loadFromSource(new URL(`src/${path}`, LLM), LLM)));
  return [`## ${title}`, "", about, "", ...lines(Object.assign({}, ...loaded))];
}

/** Renders docs/reference/providers.md from the tables in packages/llm. @returns {Promise<string>} */
export async function providerReference() {
  const sections = [];
  for (const section of SECTIONS) sections.push(...(await render(section)));
  return [
    "# Providers",
    "",
    "<!-- Generated from the tables in packages/llm/src by `pnpm docs:update`. -->",
    "",
    "This page lists the documented behaviour of model providers and servers, and how Switchyard handles this behaviour. Each row names the source of its information.",
    "",
    ...sections,
  ].join("\n");
}
