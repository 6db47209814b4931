import { html, type Markup } from "./markup.ts";

/** Renders a table in a region that scrolls sideways on narrow screens, by touch, mouse or keyboard. */
export function renderScroll(label: string, table: Markup): Markup {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
}
