import type { Draws } from '../fleet/Draws.ts';

/** Draws numbers of arrivals. */
export class Counts {
  constructor(private readonly draws: Draws) {}

  /** Negative binomial: a Poisson number whose mean is drawn from a gamma distribution of that spread. */
  around(mean: number, spread: number): number {
    if (mean <= 0) return 0;
    const shape = 1 / spread ** 2;
    return this.poisson((mean * this.#gamma(shape)) / shape);
  }

  poisson(mean: number): number {
    if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.draws.normal()));
    const end = Math.exp(-mean);
    let count = 0;
    for (let product = this.draws.random(); product > end; product *= this.draws.random()) count += 1;
    return count;
  }

  /** After Marsaglia and Tsang, for shapes of at least 1. */
  #gamma(shape: number): number {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const normal = this.draws.normal();
      const v = (1 + c * normal) ** 3;
      if (v > 0 && Math.log(1 - this.draws.random()) < normal ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  }
}
