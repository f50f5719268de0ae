// Starts the page. A file of its own because the policy in index.html allows no inline script; the build writes the
// names of the two files into the page.
const { js, wasm } = document.getElementById("program").dataset;
const { default: start } = await import(new URL(js, document.baseURI).href);
await start({ module_or_path: new URL(wasm, document.baseURI) });
