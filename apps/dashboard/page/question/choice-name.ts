const NAMES: Readonly<Record<string, string>> = {
  allow_once: "Allow once",
  allow_session: "Allow for this session",
  deny: "Deny",
};

/** Returns the name of an answer in words. Answers other than those of approvals stay as they are. */
export function choiceName(choice: string): string {
  return NAMES[choice] ?? choice;
}

/** Returns the CSS class of the button of an answer. */
export function choiceClass(choice: string): string | undefined {
  if (choice === "allow_once") return "primary";
  return choice === "deny" ? "danger" : undefined;
}
