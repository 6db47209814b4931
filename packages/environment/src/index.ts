// Public API for users.
export type { CopiedWorkspace, EnvironmentConfig, EnvironmentFacts } from "./environment-config.ts";
export { environmentFacts } from "./environment-config.ts";
// Shared parts, for packages that implement environments.
export type { GlobMatcher } from "./glob/compile-glob.ts";
export { compileGlob } from "./glob/compile-glob.ts";
export type { SplitGlob } from "./glob/split-glob.ts";
export { splitGlob } from "./glob/split-glob.ts";
export type { LocalEnvironmentOptions } from "./local/open-local-environment.ts";
export type { MissingPart } from "./local/sandbox/sandbox-readiness.ts";
export type { EnvironmentName, EnvironmentNameProblem } from "./name/parse-environment-name.ts";
export { parseEnvironmentName } from "./name/parse-environment-name.ts";
export { openEnvironment, sweepEnvironment } from "./open-environment.ts";
export type { ByteWindow, WindowText } from "./output/byte-window.ts";
export { createByteWindow } from "./output/byte-window.ts";
export type { FolderRepository } from "./path/find-repository.ts";
export { findRepository } from "./path/find-repository.ts";
export { resolveWorkspacePath } from "./path/workspace-path.ts";
export type { WorkspacePath, WorkspaceRoot } from "./path/workspace-root.ts";
export { ENVIRONMENT_TYPES, environmentReadiness } from "./readiness/environment-readiness.ts";
export type { EnvironmentReadiness } from "./readiness/readiness-findings.ts";
export { globTree } from "./search/glob-tree.ts";
export { grepTree } from "./search/grep-tree.ts";
export type { LineMatcher } from "./search/line-matcher.ts";
export { compileLineMatcher } from "./search/line-matcher.ts";
export type { SearchTree, TreeEntry, TreeFile, TreeListing } from "./search/search-tree.ts";
export type { HostVariables } from "./variables/select-variables.ts";
export { mergeVariableRules, selectVariables } from "./variables/select-variables.ts";
