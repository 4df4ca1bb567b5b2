/** The middle of numbers, of an even many the mean of both; NaN without any. It puts them into their order. */
export function median(numbers: number[]): number {
  numbers.sort((a, b) => a - b);
  const middle = numbers.length >> 1;
  if (numbers.length % 2 === 1) return numbers[middle] as number;
  return ((numbers[middle - 1] ?? Number.NaN) + (numbers[middle] ?? Number.NaN)) / 2;
}
