import { openConfinedEnvironment, openLocalEnvironment } from "@switchyard/environment/local";
import { pushCredentials } from "../git/push-denial.ts";
import type { ConfineFolder, OpenFolder } from "./prepared-workspace.ts";

/** User of this machine under whose account commands run. */
export interface LocalUser {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder. `undefined` if the user has none. */
  readonly homeDirectory: string | undefined;
}

/** Functions that open folders of this machine as environments. */
export interface LocalFolders {
  /** Opens a folder as an environment. */
  readonly openFolder: OpenFolder;
  /**
   * Opens a folder as an environment in which restrictions on commands are enforced. `undefined` if this machine cannot
   * enforce them.
   */
  readonly confineFolder: ConfineFolder;
}

/** Returns the functions with which `executeTask` and `createRuntimeEngine` open folders of this machine. */
export function localFolders({ env, homeDirectory }: LocalUser): LocalFolders {
  const agent = env["SSH_AUTH_SOCK"];
  const hidden = [
    ...(homeDirectory === undefined ? [] : pushCredentials(homeDirectory)),
    ...(agent === undefined || agent === "" ? [] : [agent]),
  ];
  return {
    openFolder: (root) => openLocalEnvironment({ root, env }),
    confineFolder: (root, { writes, readOnly, hidesPushCredentials }) =>
      openConfinedEnvironment({ root, env, writes, readOnly, hidden: hidesPushCredentials ? hidden : [] }),
  };
}
