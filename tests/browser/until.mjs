import assert from 'node:assert/strict';

/** Waits until `look` gives what `fits` accepts, and gives that back. */
export async function until(look, fits, seconds = 30) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (fits(seen)) return seen;
    assert.ok(Date.now() < deadline, `not in ${seconds} s; the last seen was ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
