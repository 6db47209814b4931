/** Opens the run that the URL fragment names, in browsers that do not do so themselves. The page works without it. */
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
