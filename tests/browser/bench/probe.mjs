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

  /**
   * From the next event of this type to the first change of which rows are shown, and to the last change of their count
   * that comes within `rest` milliseconds, as a promise in `expected`. Cells that change in place are not counted.
   */
  figures.expect = (type, rest) => {
    figures.expected = new Promise((resolve) => addEventListener(type, (event) => {
      const seen = {};
      const observer = new MutationObserver((records) => {
        const after = performance.now() - event.timeStamp;
        for (const { type, target } of records) {
          const place = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
          const counted = place?.closest('[data-testid=count]');
          if (counted) seen.whole = after;
          if (counted || type === 'attributes' || place?.matches('.panel-frame')) seen.first ??= after;
        }
      });
      observer.observe(document.body, {
        subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['data-name'],
      });
      setTimeout(() => {
        observer.disconnect();
        resolve(seen);
      }, rest);
    }, { capture: true, once: true }));
  };

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
