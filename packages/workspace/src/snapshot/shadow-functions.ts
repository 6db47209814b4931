// Shell functions that examine a workspace. They run in the environment of the workspace.
// `GIT_DIR` is the shadow repository: a separate git repository that stores snapshots of the workspace.
// The functions use only POSIX tools, `find -print0`, `xargs -0` and `stat`.
// In the lists that the functions print, line ends in file names are written as \1.
import { ENTER_INNER, PRINT_FILTERED, PRINT_STATE } from "./entry-functions.ts";
import { COMPARE, LIST_REPOSITORIES } from "./repository-functions.ts";
import { ADD_FILES, READ_RAW, WRITE_TREE } from "./tree-functions.ts";

/**
 * Checks that the required tools exist. If one were missing in a pipeline, the script would not fail, but its result
 * would be incomplete.
 */
const TOOLS = `command -v git > /dev/null || exit 127
for tool in awk base64 cat find mkdir sed sort tee touch tr xargs; do
  command -v "$tool" > /dev/null || { echo "the command $tool is missing where the workspace is" >&2; exit 1; }
done
`;

/**
 * All shell functions for examining a workspace. `$shadow` is the path of the repository for snapshots, even where
 * `GIT_DIR` is unset.
 */
export const SHADOW_FUNCTIONS: string = `shadow=$GIT_DIR ignored=
export LC_ALL=C
${TOOLS}${PRINT_STATE}${ENTER_INNER}${LIST_REPOSITORIES}${PRINT_FILTERED}${READ_RAW}${ADD_FILES}${WRITE_TREE}${COMPARE}`;
