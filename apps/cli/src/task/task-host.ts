import type { TaskHost } from "@switchyard/protocol-server/acp";
import type { CommandContext } from "../context/command-context.ts";
import { withInputOptions } from "../run/with-input-options.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { performTask } from "./perform-task.ts";
import type { TaskOptions } from "./task-options.ts";

/**
 * Creates the host of a protocol server. It runs the tasks of clients as the command `run` would with the given
 * options.
 */
export function createTaskHost(context: CommandContext, options: TaskOptions, command: string): TaskHost {
  return {
    runTask: ({ prompt, mode, input, ...task }) => {
      const { approve, ...others } = options;
      const permissions = mode !== undefined ? { mode } : approve === undefined ? {} : { approve };
      return performTask(
        context,
        { ...others, ...permissions, prompt },
        { ...task, command, input: withInputOptions(context, options, input) },
      );
    },
    openStore: () => openRunStore(context, options),
    now: () => context.now(),
  };
}
