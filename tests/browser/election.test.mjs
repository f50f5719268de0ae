import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';

import { kubectl, proxy, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { launch } from './masthead.mjs';
import { end } from './process.mjs';

const KILLS = 20;

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

test('of two pages one leads, and never both, while the leading one is killed twenty times', async (t) => {
  const served = await proxy('admin', 0, ['--www-prefix=/page/', `--www=${environment.candidates}`]);
  t.after(() => end(served.started));
  const namespace = uniqueName('election');
  await kubectl('create', 'namespace', namespace);

  // All times are of the one clock of this machine.
  const spans = [];
  let made = 0;
  const candidate = async () => {
    const identity = `page-${(made += 1)}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    const own = { identity, context, page, span: undefined };
    // Every look at a leader makes its span longer; a look at one that leads no more ends it.
    await page.exposeFunction('seen', (leads, from, to) => {
      if (!leads) own.span = undefined;
      else if (own.span) own.span.to = to;
      else spans.push((own.span = { identity, from, to }));
    });
    await page.goto(`${served.url}/page/`);
    await page.evaluate(async ([url, namespace, identity]) => {
      const masthead = await import('/page/masthead_peer.js');
      await masthead.default();
      const candidate = new masthead.Candidate(url, namespace, 'lock', identity);
      window.candidate = candidate;
      const look = () => {
        const from = Date.now();
        const leads = candidate.leads();
        window.seen(leads, from, from);
      };
      setInterval(look, 20);
    }, [served.url, namespace, identity]);
    return own;
  };
  const leader = async (candidates) => {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
      const leading = candidates.find((it) => it.span && Date.now() - it.span.to < 500);
      if (leading) return leading;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`nobody leads: ${JSON.stringify(spans)}`);
  };
  /** Ends the page's process, without a word to the page. */
  const kill = async ({ context, page }) => {
    const crashed = once(page, 'crash');
    const session = await context.newCDPSession(page);
    // The answer never comes.
    session.send('Page.crash').catch(() => {});
    await crashed;
    await context.close();
  };

  let candidates = [await candidate(), await candidate()];
  for (let kills = 0; kills < KILLS; kills += 1) {
    const killed = await leader(candidates);
    await kill(killed);
    const survivors = candidates.filter((it) => it !== killed);
    candidates = [...survivors, await candidate()];
    const next = await leader(candidates);
    assert.notEqual(next.identity, killed.identity);
  }

  const sorted = spans.toSorted((a, b) => a.from - b.from);
  const overlaps = sorted.flatMap((span, index) =>
    sorted.slice(index + 1).filter((later) => later.identity !== span.identity && later.from <= span.to).map((later) => [span, later]),
  );
  assert.deepEqual(overlaps, [], 'nobody leads while another does');
  const leaders = new Set(spans.map((span) => span.identity));
  assert.ok(leaders.size > KILLS, `${leaders.size} pages led`);
  const transitions = await kubectl('get', 'lease', 'lock', '--namespace', namespace, '--output=jsonpath={.spec.leaseTransitions}');
  assert.ok(Number(transitions) >= KILLS, `${transitions} transitions`);
  await kubectl('delete', 'namespace', namespace, '--wait=false');
});
