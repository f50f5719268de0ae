// Runs before the first paint, so that a chosen theme does not flash. The page itself keeps the key from then on.
try {
  const theme = localStorage.getItem("masthead.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme is used.
}
