// What `kubectl get` prints, as columns and cells, and how it is compared with what a page shows.

/** Reads a table. Columns lie below their heads, which are at least three spaces apart. */
export function read(text) {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim());
  const starts = [...head.matchAll(/(?:^|(?<= {3}))\S/g)].map((match) => match.index);
  const cut = (line) => {
    const letters = [...line];
    return starts.map((start, at) => letters.slice(start, starts[at + 1]).join('').trim());
  };
  return { columns: cut(head), rows: lines.map(cut) };
}

/** Whether a page may show `shown` where kubectl said `before` and then `after`: the same text, ages within a tick. */
export function agrees(shown, before, after) {
  if (shown === before || shown === after) return true;
  const [mine, early, late] = [shown, before, after].map(ages);
  if (mine.rest !== early.rest || mine.rest !== late.rest) return false;
  return mine.seconds.every((age, at) => {
    const [low, high] = [early.seconds[at], late.seconds[at]].sort((one, other) => one - other);
    return age >= low - TICK && age <= high + TICK;
  });
}

/** The text with its ages taken out, and the ages. */
function ages(text) {
  const seconds = [];
  const rest = text.replace(/\b(?:\d+[ydhms])+\b/g, (age) => {
    seconds.push([...age.matchAll(/(\d+)([ydhms])/g)].reduce((sum, [, count, unit]) => sum + count * UNITS[unit], 0));
    return '…';
  });
  return { rest, seconds };
}

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 };

/** The page's clock ticks once a second. */
const TICK = 1;
