// Starts the page. A file of its own because the policy in index.html allows no inline script; the build writes the
// names of the two files into the page.

// The demo cluster is a program of its own, fetched by who explores it.
globalThis.mastheadDemo = async () => {
  const { default: begin, Demo } = await import(new URL("masthead-demo.js", document.baseURI).href);
  await begin({ module_or_path: new URL("masthead-demo_bg.wasm", document.baseURI) });
  return new Demo();
};

const { js, wasm } = document.getElementById("program").dataset;
const { default: start } = await import(new URL(js, document.baseURI).href);
await start({ module_or_path: new URL(wasm, document.baseURI) });
