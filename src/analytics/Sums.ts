import type { Money } from './columns/EventColumns.ts';

/** Decimals that are summed; no currency has as many. */
const PLACES = 12;

/**
 * Sums of money by currency. They are exact: a value is taken as its shortest decimal notation and summed in whole units of 10^-12,
 * so that 0.1 and 0.2 make 0.3. The result is the number nearest to the sum.
 */
export class Sums {
  readonly #units = new Map<string | null, bigint>();

  add({ currency, units }: Money): void {
    this.#units.set(currency, (this.#units.get(currency) ?? 0n) + units);
  }

  addAll(others: Sums): void {
    for (const [currency, units] of others.#units) this.add({ currency, units });
  }

  /** The sums in the order of the currencies' codes; values without a currency come last. */
  listed(): { currency: string | null; sum: number }[] {
    return [...this.#units]
      .map(([currency, units]) => ({ currency, sum: numberOf(units) }))
      .sort((a, b) => (b.currency === null || (a.currency !== null && a.currency < b.currency) ? -1 : 1));
  }
}

/** The units of a value, rounded to 12 decimals. */
export function unitsOf(value: number): bigint {
  // The shortest digits that identify the number: 39.9 is `3.99e+1`.
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const digits = BigInt(whole + decimals);
  const shift = Number(exponent) - decimals.length + PLACES;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (digits + ((digits < 0n ? -1n : 1n) * divisor) / 2n) / divisor;
}

function numberOf(units: bigint): number {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, '0');
  return Number(`${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`);
}
