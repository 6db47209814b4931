import type { RepositoryRule } from "@switchyard/contracts";
import type { GitCredential } from "@switchyard/workspace";

/** Rule that allows a worker to check out repositories, with the credential that only the worker knows. */
export interface WorkerRepository extends RepositoryRule {
  /** Credential with which git reads the repositories. Default: none. */
  readonly access?: GitCredential | undefined;
}
