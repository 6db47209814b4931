export { openMcpLogins } from "./credentials/mcp-logins.ts";
export { defaultEnvironment, environmentNameOf } from "./environment/default-environment.ts";
export {
  type EnvironmentHost,
  type EnvironmentProblem,
  environmentConfigOf,
  environmentProblem,
  isOfThisMachine,
  withSignal,
} from "./environment/environment-config.ts";
export type { EnvironmentOptions, EnvironmentSelection } from "./environment/environment-selection.ts";
export { missingRepository } from "./environment/missing-repository.ts";
export { isEngineFile, RUNTIME_PREFIX } from "./files/engine-file-name.ts";
export {
  type ListedSetting,
  type ListedSettingsFile,
  listSettings,
  listSettingsFiles,
} from "./files/list-settings.ts";
export { type IgnoredSettings, type LoadedSettings, loadSettings, type SettingsScope } from "./files/load-settings.ts";
export {
  type EffectiveSetting,
  type EffectiveSettings,
  type IgnoredPermission,
  ignoredPermission,
  mergeSettings,
  type PermissionDefault,
} from "./files/merge-settings.ts";
export type { TextFile } from "./files/read-regular-file.ts";
export {
  INPUT_SETTINGS,
  type ResolvedSetting,
  resolveSettings,
  type SettingSources,
  settingVariable,
} from "./files/resolve-settings.ts";
export {
  SETTING_NAMES,
  SETTINGS,
  type SettingDefinition,
  type SettingName,
  type SettingType,
} from "./files/setting-definitions.ts";
export { failWithoutHome, settingsFolder } from "./files/settings-folder.ts";
export {
  invalidSetting,
  PROJECT_SETTINGS_FILE,
  parseSettings,
  readUserSettings,
  type SettingsLayer,
  type SettingValue,
  userSettingsFile,
} from "./files/settings-layer.ts";
export { SETTINGS_TEMPLATE } from "./files/settings-template.ts";
export { writePrivateFile } from "./files/write-private-file.ts";
export {
  type ApprovalChoice,
  approvalModeOf,
  fromStoredChoice,
  toApprovalPolicy,
  toStoredChoice,
  withChoice,
} from "./permissions/approval-choice.ts";
export { APPROVAL_MODES, APPROVAL_STRICTNESS, type ApprovalMode, isApprovalMode } from "./permissions/approval-mode.ts";
export { type DefaultConditions, defaultApproval } from "./permissions/default-approval.ts";
export { parseRule, type RuleSubject } from "./permissions/parse-rule.ts";
export {
  isPermissionMode,
  PERMISSION_MODES,
  type PermissionMode,
  PLAN_INSTRUCTIONS,
} from "./permissions/permission-mode.ts";
export {
  type PermissionConditions,
  type PermissionOptions,
  type Permissions,
  planPermissions,
} from "./permissions/plan-permissions.ts";
export type { SettingsContext } from "./settings-context.ts";
export { assertResumable } from "./stored-runs/assert-resumable.ts";
export { type FileReference, toFileReference } from "./stored-runs/file-reference.ts";
export {
  describeContinued,
  findNewestConversation,
  type NewestConversation,
} from "./stored-runs/find-newest-conversation.ts";
export { assertUnchanged, type NamedFile, readNamedFile } from "./stored-runs/named-file.ts";
export { type McpConfig, readMcpConfig } from "./stored-runs/read-mcp-config.ts";
export { limitsOfResume, limitsOfRun, type RunLimits } from "./stored-runs/run-limits.ts";
export {
  canBeResumed,
  fromSettings,
  hostWorkspaceOf,
  type RunSettings,
  toSettings,
} from "./stored-runs/run-settings.ts";
export { hasPersistentFiles } from "./stored-runs/stored-environment.ts";
export { TOOL_NAMES, type ToolNames } from "./stored-runs/tool-names.ts";
export { compareFiles, type FileChange, type Trust } from "./trust/compare-files.ts";
export { compareWorkspace, type WorkspaceComparison } from "./trust/compare-workspace.ts";
export { type CodeRoot, digestCode, findPackageFolder } from "./trust/digest-code.ts";
export { type CodeSource, ProjectCode, type RecordedCode } from "./trust/project-code.ts";
export { type TrustedSkills, trustedSkills } from "./trust/trusted-skills.ts";
export {
  digestSkillFiles,
  digestWorkspace,
  findTrusted,
  inspectWorkspace,
  listTrusted,
  removeTrust,
  type TrustedWorkspace,
  trustWorkspace,
  type Workspace,
  type WorkspaceFiles,
  workspaceTrust,
} from "./trust/trusted-workspaces.ts";
