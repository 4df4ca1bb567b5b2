/** A value of a filter as the documentation of the API says to write it; null is the unknown one. */
export function written(value: string | null): string {
  if (value === null) return 'null';
  if (value === 'null') return '\\null';
  return value.replace(/[\\,]/g, '\\$&').replace(/^[-\s]|\s$/g, '\\$&');
}
