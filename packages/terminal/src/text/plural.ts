/** Formats a number with its noun: `1 line`, `2 lines`, `1,024 tokens`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
