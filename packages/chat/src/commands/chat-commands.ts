/** Commands of the interactive session, with the text that `/help` prints. */
export const CHAT_COMMANDS = [
  { name: "help", argument: "", help: "print the commands and keys" },
  { name: "model", argument: "[provider/name]", help: "show or change the model" },
  { name: "engine", argument: "[name or file]", help: "show or change the engine" },
  { name: "mode", argument: "[plan|ask|auto]", help: "show or change the permissions" },
  { name: "diff", argument: "", help: "show the changes of the last turn that changed files" },
  { name: "undo", argument: "", help: "revert the last turn: its file changes and its part of the conversation" },
  {
    name: "fork",
    argument: "[turn]",
    help: "list the turns, or continue after an earlier turn; files stay as they are",
  },
  { name: "cost", argument: "", help: "show tokens and cost of each turn" },
  { name: "runs", argument: "[all]", help: "list the stored runs of this folder, or of all folders" },
  { name: "continue", argument: "", help: "continue the last conversation in this folder" },
  { name: "quit", argument: "", help: "leave; so do Ctrl-D and pressing Ctrl-C twice" },
] as const;

/** Name of a command of the interactive session. */
export type ChatCommandName = (typeof CHAT_COMMANDS)[number]["name"];
