import { useEffect } from "preact/hooks";

const STORED_AS = "switchyard.shortcuts";

/** Returns whether shortcuts of a single key are on. They can be turned off, because speech input may trigger them. */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(STORED_AS) !== "off";
}

/** Turns shortcuts of a single key on or off. The choice is stored in the browser. */
export function switchShortcuts(isOn: boolean): void {
  localStorage.setItem(STORED_AS, isOn ? "on" : "off");
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select, dialog *");
}

/** Moves the focus to the next or previous row of a list. */
function moveInList(step: 1 | -1): void {
  const links = Array.from(document.querySelectorAll<HTMLElement>("[data-row-link]"));
  const current = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const next = current < 0 ? (step === 1 ? 0 : links.length - 1) : current + step;
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
}

/** What the shortcuts of the page do. */
export interface ShortcutActions {
  readonly openPalette: () => void;
  readonly newRun: () => void;
  readonly goTo: (view: "board" | "runs" | "trends") => void;
}

/**
 * Handles the shortcuts of the page: Ctrl K opens the palette; `n`, `/`, `j`, `k`, `b`, `r` and `t` are not handled while
 * the user types.
 */
export function useShortcuts({ openPalette, newRun, goTo }: ShortcutActions): void {
  useEffect(() => {
    const single: Readonly<Record<string, () => void>> = {
      n: newRun,
      "/": () => document.querySelector<HTMLElement>("#search")?.focus(),
      j: () => moveInList(1),
      k: () => moveInList(-1),
      b: () => goTo("board"),
      r: () => goTo("runs"),
      t: () => goTo("trends"),
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      const hasModifier = event.ctrlKey || event.metaKey;
      if (hasModifier && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      const action = single[event.key];
      if (action === undefined || hasModifier || event.altKey || isTyping(event.target) || !areShortcutsOn()) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [openPalette, newRun, goTo]);
}
