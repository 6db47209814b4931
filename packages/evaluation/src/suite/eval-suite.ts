import type { SessionMessage } from "@switchyard/contracts";
import type { LineMatcher } from "@switchyard/environment";
import type { SchemaCheck } from "@switchyard/json-schema";
import type { McpServerConfig } from "@switchyard/mcp";
import type { HarborTask } from "../harbor/harbor-task.ts";
import type { Rule } from "../rule/rule.ts";

/** A validated evaluation suite. All paths are absolute. */
export interface EvalSuite {
  /** Name, for reports. */
  readonly name: string;
  /** Engines to compare. Each engine runs every case. */
  readonly engines: readonly EngineChoice[];
  /** Variants of the setup. If the suite file has none, the list contains one variant without a name. */
  readonly variants: readonly EvalVariant[];
  /** The tasks. */
  readonly cases: readonly EvalCase[];
  /** Number of trials per combination of case, variant and engine. */
  readonly iterations: number;
  /** Maximum number of concurrent sessions. */
  readonly concurrency: number;
  /** Maximum number of retries of a trial that ended in `ERROR`. */
  readonly retries: number;
  /** Limits for the whole evaluation. */
  readonly budget: EvalBudget;
  /** Failures after which a trial is retried. Default: all. */
  readonly retryOn?: readonly RetryReason[] | undefined;
  /** Environment that the suite requires. `undefined`: the caller chooses. */
  readonly environment?: SuiteEnvironment | undefined;
  /** Model that plays the user in cases with a simulated user. `undefined` if the suite does not set it. */
  readonly simulatedUser?: SimulatedUserChoice | undefined;
  /** Criterion by which judges compare the results of each pair of engines. `undefined`: they are not compared. */
  readonly preference?: PreferenceQuestion | undefined;
  /** Result files to write. Default: all. The log `results.jsonl` is always written. */
  readonly reportFormats?: readonly ReportFormat[] | undefined;
  /** Settings of the suite file that have no effect, one sentence each. Default: none. */
  readonly warnings?: readonly string[] | undefined;
}

/** Criterion by which judges compare the results of two engines. */
export interface PreferenceQuestion {
  /** The criterion. */
  readonly criterion: string;
  /** Models that compare the results of two engines. The engine with more votes wins. */
  readonly panel: JudgePanel;
}

/** Format of a result file. */
export type ReportFormat = "json" | "junit" | "html";

/** Kind of failure after which a trial can be retried. */
export type RetryReason = "timeout" | "error";

/** Environment that a suite requires for its trials. */
export interface SuiteEnvironment {
  /** Image of the container in which trials run. `undefined`: trials run on this machine. */
  readonly image?: string | undefined;
  /** Whether commands in the container have network access. Default: true. */
  readonly hasNetwork?: boolean | undefined;
  /**
   * The only hosts that commands in the container can connect to, as with the network setting `list:…`. Default: all
   * hosts.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Environment variables of all commands. Values may contain `$NAME` and `${NAME}`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Shell commands that run in the workspace before each session. */
  readonly setupSteps: readonly string[];
}

/** The model of a simulated user. */
export interface SimulatedUserChoice extends ModelChoice {
  /** Time limit of one model call, in seconds. */
  readonly timeoutSeconds: number;
}

/** One entry of `engines`. */
export interface EngineChoice {
  /** Name of the engine in the results. Default: the name that the engine reports. */
  readonly id?: string | undefined;
  /** Name of a built-in engine, absolute path of an engine file, or an inline engine block. */
  readonly spec: string | Readonly<Record<string, unknown>>;
  /** Version that the engine's command must have: the beginning of a version, or `>=` and a version. Default: any. */
  readonly version?: string | undefined;
  /** Location of the engine in the suite file, for error messages. */
  readonly field: string;
}

/** Variant of the setup: additional files and engine parameters with which all cases run. */
export interface EvalVariant {
  /** Name of the variant. `undefined` for the implicit variant of a suite without variants. */
  readonly name?: string | undefined;
  /** Files added to the workspace. They replace files of the case that have the same path. */
  readonly files: readonly EvalFile[];
  /** Engine parameters. They override parameters of the case with the same name. */
  readonly kwargs: Readonly<Record<string, string>>;
}

/** A file or folder added to the workspace. */
export interface EvalFile {
  /** Path relative to the workspace, with `/` as separator. */
  readonly path: string;
  /** Text of the file, or the absolute path to copy from. */
  readonly source: { readonly content: string } | { readonly from: string };
}

/** Case of a suite: one task and its assertions. */
export interface EvalCase {
  /** Unique id within the suite. */
  readonly id: string;
  /** Messages of the conversation that the engine continues. */
  readonly messages: readonly SessionMessage[];
  /** Folder that is copied to create the workspace of each session. `undefined`: the workspace starts empty. */
  readonly workspace?: string | undefined;
  /** Files added to the workspace before the session. */
  readonly files: readonly EvalFile[];
  /** Engine parameters. */
  readonly kwargs: Readonly<Record<string, string>>;
  /** Timeout of a session, in seconds. */
  readonly timeoutSeconds: number;
  /** Maximum number of model turns. `undefined`: no limit. */
  readonly maxTurns?: number | undefined;
  /** Whether `maxTurns` limits the turns of the user only, and not those of the model. Default: false. */
  readonly limitsUserTurnsOnly?: boolean | undefined;
  /** Files added to the workspace after the session, visible only to the assertions. */
  readonly assertFiles: readonly EvalFile[];
  /** Assertions. Without any, a completed session passes. */
  readonly assertions: readonly Assertion[];
  /** Short description, for reports. */
  readonly title?: string | undefined;
  /** Tags of the case, by which a user can select cases. Default: none. */
  readonly tags?: readonly string[] | undefined;
  /**
   * Text of the case file, or a digest of the task's files. With it, a resume detects changes of the case. `undefined`:
   * the evaluation file contains the case.
   */
  readonly source?: string | undefined;
  /**
   * Assertions that are checked first. If one does not hold, the trial fails and `assertions` are not checked. Default:
   * none.
   */
  readonly gates?: readonly Assertion[] | undefined;
  /**
   * Whether the assertions with a `judge` are decided independently: each judge sees an unchanged copy of the
   * workspace, and a judge that ends in `ERROR` makes the trial an `ERROR`. Default: false.
   */
  readonly hasIndependentJudges?: boolean | undefined;
  /**
   * User turns of the conversation, sent one after the other in one session. `undefined`: a single turn, the last of
   * `messages`.
   */
  readonly turns?: readonly EvalTurn[] | undefined;
  /** Goal and knowledge of the simulated user. `undefined` if no user is simulated. */
  readonly scenario?: string | undefined;
  /**
   * Whether the simulated user continues the conversation after the last listed turn, until it ends the conversation or
   * has sent `maxTurns` messages. Default: false.
   */
  readonly isOpenEnded?: boolean | undefined;
  /** Patterns of workspace files that are archived after every session, whatever its outcome. Default: none. */
  readonly collect?: readonly string[] | undefined;
  /** Git repository to create in the workspace. `undefined`: none. */
  readonly git?: GitSetup | undefined;
  /** MCP servers by name. Default: none. */
  readonly mcpServers?: Readonly<Record<string, EvalMcpServer>> | undefined;
  /**
   * Task in Harbor's format: its containers and tests. The tests then decide the outcome, and the case has no
   * assertions. `undefined` for other cases.
   */
  readonly task?: HarborTask | undefined;
}

/** An MCP server for the engine: a real one, or a simulated one with fixed responses. */
export type EvalMcpServer =
  | { readonly kind: "real"; readonly config: McpServerConfig }
  | { readonly kind: "mock"; readonly tools: Readonly<Record<string, unknown>> }
  | { readonly kind: "mock_filesystem" };

/** One user turn of a conversation. */
export interface EvalTurn {
  /** Message of the user. May contain `{{name}}`, the value that an earlier turn captured. */
  readonly content?: string | undefined;
  /** Instruction for the simulated user, who writes the message. Set instead of `content`. */
  readonly respond?: string | undefined;
  /** Condition that the response to this turn must meet before the next turn is sent. */
  readonly condition?: TurnCondition | undefined;
  /** Values to extract from the response. */
  readonly captures: readonly TurnCapture[];
  /** Time limit of this turn, in seconds. `undefined`: that of the case. */
  readonly timeoutSeconds?: number | undefined;
}

/** Condition on the response to a turn. */
export interface TurnCondition {
  /** Texts that the response must all contain. */
  readonly all: readonly string[];
  /** Texts of which the response must contain at least one. Empty: no condition. */
  readonly any: readonly string[];
  /** Texts that the response must not contain. */
  readonly not: readonly string[];
  /** `fail`: the trial fails. `skip_remaining`: the remaining turns are skipped and the assertions decide. */
  readonly onFail: "fail" | "skip_remaining";
}

/** A value to extract from the response to a turn. */
export interface TurnCapture {
  /** Name by which later turns refer to the value. */
  readonly name: string;
  /** Returns the value. `undefined` if the response does not contain it. */
  readonly extract: (response: string) => string | undefined;
  /** Pattern or path with which the value is extracted, for messages. */
  readonly source: string;
}

/** Git repository that is created in the workspace of a case. */
export interface GitSetup {
  /** Whether to create a repository and commit the files of the workspace. */
  readonly init: boolean;
  /** Branch to check out. It is created if it does not exist. */
  readonly checkout?: string | undefined;
  /** Absolute path of a patch file, applied to the working tree after the commit. */
  readonly patch?: string | undefined;
  /** Remotes by name. */
  readonly remotes: Readonly<Record<string, string>>;
}

/** Condition that a completed session must meet. */
export type Assertion = PlainAssertion | RuleAssertion | ScriptAssertion | RubricAssertion;

/** Assertion of a simple kind, which checks a text, a pattern, a file, a command or a JSON Schema. */
export type PlainAssertion = (
  | { readonly kind: "contains" | "not_contains"; readonly text: string }
  | { readonly kind: "matches"; readonly pattern: string; readonly test: LineMatcher }
  | { readonly kind: "file_exists"; readonly path: string }
  | { readonly kind: "command"; readonly command: string | readonly string[]; readonly timeoutSeconds: number }
  | { readonly kind: "json_schema"; readonly schema: Readonly<Record<string, unknown>>; readonly check: SchemaCheck }
) & {
  /** Id of the judge that the assertion belongs to. */
  readonly judge?: string | undefined;
};

/** A deterministic rule about the result, the conversation or the workspace. */
export interface RuleAssertion {
  readonly kind: "rule";
  /** The rule. */
  readonly rule: Rule;
  /** Whether the assertion fails if the rule matches. Default: it fails if the rule does not match. */
  readonly isForbidden?: boolean | undefined;
  /** Name for reports, such as `expect.must_contain`. Default: the rule's name. */
  readonly label?: string | undefined;
  /** Id of the judge that the assertion belongs to. */
  readonly judge?: string | undefined;
}

/** A script that runs in the workspace and decides by its exit code. */
export interface ScriptAssertion {
  readonly kind: "script";
  /** Absolute path of the script. */
  readonly path: string;
  /** Path as written in the suite file, for reports. */
  readonly name: string;
  /** Time limit, in seconds. */
  readonly timeoutSeconds: number;
  /** Id of the judge that the assertion belongs to. */
  readonly judge?: string | undefined;
}

/** Criteria that a panel of judges decides. */
export interface RubricAssertion {
  readonly kind: "rubric";
  /** Criteria. */
  readonly criteria: readonly Criterion[];
  /** Weighted mean of the criteria's scores that is required, from 0 to 1. */
  readonly threshold: number;
  /** Models that decide. */
  readonly panel: JudgePanel;
  /** Time limit of each judge, in seconds. `undefined`: none. */
  readonly timeoutSeconds?: number | undefined;
  /** Parts of the session that the judges see. */
  readonly context: RubricContext;
  /** Name for reports. Default: `rubric`. */
  readonly label?: string | undefined;
  /** Id of the judge that the assertion belongs to. */
  readonly judge?: string | undefined;
  /** Skills of the judges. They are installed only for the judges, which are then agents. Default: none. */
  readonly skills?: readonly JudgeSkill[] | undefined;
}

/** A skill that is installed for judges. */
export interface JudgeSkill {
  /** Name in the skill's front matter. If there is none, the name of the skill's folder. */
  readonly name: string;
  /** Path as written in the suite file, for reports. */
  readonly source: string;
  /** Files of the skill: path relative to the skill, and absolute path to copy from. */
  readonly files: readonly { readonly path: string; readonly from: string }[];
  /** Workspace folder of the skill. Default: its name, in the folder in which the judging engine looks for skills. */
  readonly target?: string | undefined;
}

/** A claim about the engine's work that judges score. */
export interface Criterion {
  /** The claim. */
  readonly text: string;
  /** Weight of the criterion in the score, above 0. */
  readonly weight: number;
  /**
   * Number of points for work that meets the criterion fully. With 1, there are no partial points: the criterion is met
   * or not.
   */
  readonly points: number;
}

/** Several models that decide the same criteria. */
export interface JudgePanel {
  /** The models. */
  readonly models: readonly ModelChoice[];
  /** `majority`: more judges accept the work than refuse it. `mean`: the mean score of the judges is high enough. */
  readonly decision: "majority" | "mean";
  /** Outcome of a majority vote that ends in a tie. */
  readonly tie: "pass" | "fail" | "error";
  /**
   * Engine that judges in place of direct model calls: it uses the model of the respective judge, in a separate
   * session. `undefined`: the models are called directly.
   */
  readonly engine?: EngineChoice | undefined;
  /**
   * True if an engine is used only for models that cannot be called directly. Such a judge is run by `engine` or, if it
   * is not set, by the engine of the trial. All other models are called directly, even if `engine` is set. Default:
   * false.
   */
  readonly mayUseEngine?: boolean | undefined;
}

/** Parts of a session that judges see, each with its maximum length in characters. 0 omits a part. */
export interface RubricContext {
  /** Maximum length of the final message. */
  readonly finalMessage: number;
  /** Maximum length of the transcript. */
  readonly transcript: number;
  /** Maximum length of the workspace changes. */
  readonly workspaceDiff: number;
  /** Maximum length of the list of generated files, which the engine reports. Default: 0, which omits the list. */
  readonly generatedFiles?: number | undefined;
  /** Maximum number of messages of the transcript, counted from its end. Default: all. */
  readonly transcriptMessages?: number | undefined;
  /** Maximum number of lines of the workspace changes, counted from the beginning. Default: all. */
  readonly workspaceDiffLines?: number | undefined;
  /** Further files that the judges see: a label and a path on this machine. */
  readonly attachments: readonly { readonly label: string; readonly path: string }[];
}

/** Limits for all trials together. A limit that is not set does not apply. */
export interface EvalBudget {
  /** Maximum cost of all model calls, in US dollars. */
  readonly costUsd?: number | undefined;
  /** Maximum number of tokens of all model calls. */
  readonly totalTokens?: number | undefined;
  /** Maximum wall-clock time, in minutes. */
  readonly minutes?: number | undefined;
}

/** A model that judges or plays the simulated user. */
export interface ModelChoice {
  /** Model reference, `provider/name`. */
  readonly model: string;
  /** Base URL of the API. Default: the vendor's. */
  readonly baseUrl?: string | undefined;
  /** Protocol of the API, for a provider that the model client does not know. Default: `openai`. */
  readonly protocol?: "openai" | "anthropic" | undefined;
}
