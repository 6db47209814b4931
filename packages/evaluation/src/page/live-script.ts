/**
 * JavaScript of the page of a running evaluation. Counts elapsed time, and reloads the page every two seconds, except
 * while it is hidden or text is selected. Restores the focus after a reload; browsers restore the scroll position.
 */
export const LIVE_SCRIPT: string = `
const format = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? seconds + " s" : Math.floor(seconds / 60) + " min " + (seconds % 60) + " s";
};
const stale = document.getElementById("stale");
const regions = [...document.querySelectorAll("[tabindex], a, summary")];
const storage = () => { try { return sessionStorage; } catch { return undefined; } };
const focused = storage()?.getItem("focus");
storage()?.removeItem("focus");
if (focused) regions[Number(focused)]?.focus({ preventScroll: true });
function tick() {
  for (const time of document.querySelectorAll("time[data-since]")) time.textContent = format(Date.now() - Number(time.dataset.since));
  const age = Date.now() - Number(stale.dataset.updated);
  if (age > 60000) {
    stale.hidden = false;
    stale.textContent = "No update for " + format(age) + ". The evaluation was probably stopped. Continue it with --resume.";
  }
}
setInterval(tick, 1000);
tick();
setInterval(() => {
  if (document.hidden || String(getSelection()) !== "") return;
  const index = regions.indexOf(document.activeElement);
  if (index >= 0) storage()?.setItem("focus", String(index));
  location.reload();
}, 2000);
`;
