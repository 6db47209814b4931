/**
 * JavaScript of the page. Opens the collapsed section of the run that the URL fragment names, for browsers that do not
 * open it automatically. The page also works without it.
 */
export const SCRIPT: string = `
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const run = target && target.closest("details");
  if (!run) return;
  run.open = true;
  run.scrollIntoView({ block: "start" });
}
addEventListener("hashchange", openTarget);
openTarget();
`;
