/**
 * Runs `atOnce` pieces of work at a time and the others in the order of asking, of which no more than `mostWaiting`
 * wait: null is given to those beyond.
 */
export function atMost(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return <Result>(work: () => Promise<Result>): Promise<Result> | null => {
    if (running < atOnce) {
      running += 1;
      return work().finally(end);
    }
    if (waiting.length >= mostWaiting) return null;
    return new Promise<void>((turn) => waiting.push(turn)).then(work).finally(end);
  };
}
