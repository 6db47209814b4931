/**
 * JavaScript of the page. Searches runs, and opens the collapsed section of the run that the URL fragment names,
 * because some browsers do not open it. Without JavaScript, the rest of the page works.
 */
export const SCRIPT: string = `
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const run = target && target.closest("details");
  if (!run) return;
  run.open = true;
  run.scrollIntoView({ block: "start" });
  run.querySelector("summary").focus({ preventScroll: true });
}
addEventListener("hashchange", openTarget);
openTarget();
const search = document.getElementById("search");
search.closest("label").hidden = false;
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
  let found = 0;
  for (const group of document.querySelectorAll(".case-runs")) {
    const title = group.querySelector("h3").textContent;
    let inGroup = 0;
    for (const run of group.querySelectorAll(".run")) {
      const text = (title + " " + run.querySelector("summary").textContent).toLowerCase();
      run.hidden = !words.every((word) => text.includes(word));
      if (!run.hidden) inGroup += 1;
    }
    group.hidden = inGroup === 0;
    found += inGroup;
  }
  document.getElementById("none").textContent = words.length === 0 ? "" : found === 1 ? "1 run found" : found + " runs found";
});
`;
