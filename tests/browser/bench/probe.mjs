// What runs inside the page: it watches with the browser's own means and changes nothing.

/** Installed before the page's own scripts; `total` rows make the table complete. */
export function probe(total) {
  const figures = { memories: [], first: undefined, live: undefined, expected: undefined };
  globalThis.probe = figures;

  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = async (...parts) => {
      const made = await original(...parts);
      const memory = (made.instance ?? made).exports?.memory;
      if (memory) figures.memories.push(memory);
      return made;
    };
  }

  const painted = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => then(performance.now());
    port2.postMessage(null);
  });
  const digits = () => Number(document.querySelector('[data-testid=count]')?.textContent.replace(/\D/g, ''));
  const loading = new MutationObserver(() => {
    if (figures.first === undefined && document.querySelector('[data-testid=row]:not([hidden])')) {
      figures.first = null;
      painted((now) => (figures.first = now));
    }
    if (digits() === total) {
      loading.disconnect();
      painted((now) => (figures.live = now));
    }
  });
  loading.observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['hidden'] });

  /** What `seen` makes of every change of these attributes, from the next event of this type on until `rest` milliseconds
   * are over, as a promise in `expected`. It is told the milliseconds since that event. */
  const expect = (type, rest, attributeFilter, seen) => {
    figures.expected = new Promise((resolve) => addEventListener(type, (event) => {
      const found = {};
      const observer = new MutationObserver(() => seen(found, performance.now() - event.timeStamp));
      observer.observe(document.body, { subtree: true, attributes: true, attributeFilter });
      setTimeout(() => {
        observer.disconnect();
        resolve(found);
      }, rest);
    }, { capture: true, once: true }));
  };

  /** From the next key to when the rows in the DOM are those of the filter with it, the first of them and all. */
  figures.expectFilter = () => expect('keydown', 400, ['data-filter', 'aria-busy'], (found, after) => {
    const panel = document.querySelector('[data-testid=panel]');
    if (panel.dataset.filter !== document.querySelector('[data-testid=filter]').value) return;
    found.first ??= after;
    if (panel.ariaBusy === 'false') found.whole ??= after;
  });

  /** From the next click to the first change of which rows are shown. */
  figures.expectSort = () => expect('click', 400, ['data-name'], (found, after) => (found.first ??= after));

  /** The times between frames, for so many milliseconds. */
  figures.frames = (span) => new Promise((resolve) => {
    const gaps = [];
    let before;
    const begin = performance.now();
    const frame = (now) => {
      if (before !== undefined) gaps.push(now - before);
      before = now;
      if (now - begin < span) requestAnimationFrame(frame);
      else resolve(gaps);
    };
    requestAnimationFrame(frame);
  });
}
