// How long the thread was not to be had.

/** Beats every four milliseconds, which is as often as a page may, and remembers the longest time between two beats. */
export class Heartbeat {
  constructor() {
    this.longest = 0;
    this.last = performance.now();
    this.timer = setInterval(() => this.beat(), 4);
  }

  beat() {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.last);
    this.last = now;
  }

  /** Ends it; gives the longest time in milliseconds. */
  end() {
    clearInterval(this.timer);
    this.beat();
    return this.longest;
  }
}
