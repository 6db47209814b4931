/** Where ripgrep is, or nothing where it is not installed for this platform. */
export async function findRipgrep(chosen: string | false | undefined): Promise<string | undefined> {
  if (chosen !== undefined) return chosen === false ? undefined : chosen;
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // The binary is an optional package of its own for each platform.
    return undefined;
  }
}
