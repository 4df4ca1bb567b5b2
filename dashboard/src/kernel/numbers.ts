import { language } from './language.ts';

const COMPACT_FROM = 10_000;

/** `1,234`, and from 10,000 on `12.3K`. The exact number goes into a title: see `<Count>`. */
export function formatCount(count: number): string {
  return (count >= COMPACT_FROM ? compactFormat : exactFormat).format(count);
}

export function formatExact(count: number): string {
  return exactFormat.format(count);
}

/** `12 %` of a share between 0 and 1. */
export function formatShare(share: number): string {
  return shareFormat.format(share);
}

/** The change against an earlier count, such as `+12 %`; null where there was nothing before. */
export function formatChange(now: number, before: number): string | null {
  return before === 0 ? null : changeFormat.format((now - before) / before);
}

/** A sum in a currency such as `EUR`; a code that is none is written as it came. */
export function formatMoney(sum: number, currency: string): string {
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(sum);
  } catch {
    return `${exactFormat.format(sum)} ${currency}`;
  }
}

export function formatBytes(bytes: number): string {
  const [unit, size] =
    bytes < 1024 ? ['byte', bytes] : bytes < 1024 ** 2 ? ['kilobyte', bytes / 1024] : ['megabyte', bytes / 1024 ** 2];
  return new Intl.NumberFormat(language, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(
    Number(size),
  );
}

/** `240 ms` or `1.2 s`. */
export function formatMilliseconds(ms: number): string {
  const [unit, value] = ms < 1000 ? ['millisecond', ms] : ['second', ms / 1000];
  return new Intl.NumberFormat(language, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(
    Number(value),
  );
}

const exactFormat = new Intl.NumberFormat(language);
const compactFormat = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
const shareFormat = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
const changeFormat = new Intl.NumberFormat(language, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
